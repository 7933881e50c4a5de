# A queue's name is its row's, with a number where several share one row's work: two environments are
# two projects. Rates follow from the size.
resource "google_cloud_tasks_queue" "this" {
  for_each = local.queues
  name     = each.key
  location = var.region

  rate_limits {
    max_dispatches_per_second = each.value.rate_per_second
    max_concurrent_dispatches = each.value.concurrency
  }

  retry_config {
    max_attempts  = each.value.max_attempts
    min_backoff   = "${each.value.min_backoff_s}s"
    max_backoff   = "${each.value.max_backoff_s}s"
    max_doublings = each.value.max_doublings
  }

  depends_on = [google_project_service.api]
}

# The account that tasks and schedules carry. Functions may use it and nothing else may.
resource "google_service_account" "tasks" {
  account_id   = "${local.prefix}-tasks"
  display_name = "Annals: tasks and schedules"
}

resource "google_cloud_scheduler_job" "cron" {
  for_each         = { for row in local.schedules : "${row.function}${row.route}" => row }
  name             = "${local.prefix}-${replace(trimprefix(each.value.route, "/cron/"), "_", "-")}"
  region           = var.region
  schedule         = each.value.cron
  time_zone        = "Etc/UTC"
  attempt_deadline = "${min(1800, local.deployments[each.value.function].timeout_s + 10)}s"

  http_target {
    http_method = "POST"
    uri         = "${local.urls[each.value.function]}${each.value.route}"

    oidc_token {
      service_account_email = google_service_account.tasks.email
      audience              = local.prefix
    }
  }

  depends_on = [google_project_service.api]
}
