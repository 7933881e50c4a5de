resource "google_storage_bucket" "bundles" {
  name                        = "${var.project}-${local.prefix}-bundles"
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
}

resource "google_secret_manager_secret" "this" {
  for_each  = local.secrets
  secret_id = "${local.prefix}-${replace(lower(each.value), "_", "-")}"

  replication {
    auto {}
  }

  depends_on = [google_project_service.api]
}

module "function" {
  source   = "./function"
  for_each = local.deployments

  name              = local.service_names[each.key]
  function          = each.value.function
  project           = var.project
  region            = var.region
  row               = each.value
  bucket            = google_storage_bucket.bundles.name
  bundle            = "${var.bundles}/${each.value.function}-gcp.zip"
  environment       = merge(local.environment, { ANNALS_TASK_AUTH = each.value.task_auth })
  secrets           = { for name in setintersection(each.value.secrets, local.secrets) : name => google_secret_manager_secret.this[name].secret_id }
  queues            = { for name, row in local.queues : name => google_cloud_tasks_queue.this[name].name if contains(each.value.queues, row.row) }
  tasks_account     = google_service_account.tasks.email
  tasks_account_key = google_service_account.tasks.name
}
