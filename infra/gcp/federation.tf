# Functions that run on AWS reach documents and queues here by workload identity federation: AWS says
# which role asks, and each role has what the function of that role uses. No key leaves Google.

locals {
  on_aws    = var.aws_account == "" ? {} : local.tables.deployments
  aws_roles = { for name, row in local.on_aws : name => replace("${local.prefix}-${name}", "_", "-") }
  aws_members = {
    for name, role in local.aws_roles :
    name => "principalSet://iam.googleapis.com/${one(google_iam_workload_identity_pool.aws[*].name)}/attribute.aws_role/arn:aws:sts::${var.aws_account}:assumed-role/${role}"
  }
  aws_enqueues = merge([
    for name, row in local.on_aws : { for queue, own in local.queues : "${name} ${queue}" => { function = name, queue = queue } if contains(row.queues, own.row) }
  ]...)

  # What `gcloud iam workload-identity-pools create-cred-config --aws` writes.
  external_account = var.aws_account == "" ? "" : jsonencode({
    type               = "external_account"
    audience           = "//iam.googleapis.com/${one(google_iam_workload_identity_pool_provider.aws[*].name)}"
    subject_token_type = "urn:ietf:params:aws:token-type:aws4_request"
    token_url          = "https://sts.googleapis.com/v1/token"
    credential_source = {
      environment_id                 = "aws1"
      region_url                     = "http://169.254.169.254/latest/meta-data/placement/availability-zone"
      url                            = "http://169.254.169.254/latest/meta-data/iam/security-credentials"
      regional_cred_verification_url = "https://sts.{region}.amazonaws.com?Action=GetCallerIdentity&Version=2011-06-15"
    }
  })
}

resource "google_iam_workload_identity_pool" "aws" {
  count                     = var.aws_account == "" ? 0 : 1
  workload_identity_pool_id = "${local.prefix}-aws"
  depends_on                = [google_project_service.api]
}

resource "google_iam_workload_identity_pool_provider" "aws" {
  count                              = var.aws_account == "" ? 0 : 1
  workload_identity_pool_id          = google_iam_workload_identity_pool.aws[0].workload_identity_pool_id
  workload_identity_pool_provider_id = "aws"

  aws {
    account_id = var.aws_account
  }
}

resource "google_project_iam_member" "aws_documents" {
  for_each = local.aws_members
  project  = var.project
  role     = "roles/datastore.user"
  member   = each.value
}

resource "google_cloud_tasks_queue_iam_member" "aws_enqueue" {
  for_each = local.aws_enqueues
  name     = google_cloud_tasks_queue.this[each.value.queue].name
  location = var.region
  role     = "roles/cloudtasks.enqueuer"
  member   = local.aws_members[each.value.function]
}

resource "google_service_account_iam_member" "aws_act_as_tasks" {
  for_each           = local.aws_members
  service_account_id = google_service_account.tasks.name
  role               = "roles/iam.serviceAccountUser"
  member             = each.value
}

# The sweep asks whether a task still waits.
resource "google_cloud_tasks_queue_iam_member" "aws_look" {
  for_each = local.aws_enqueues
  name     = google_cloud_tasks_queue.this[each.value.queue].name
  location = var.region
  role     = "roles/cloudtasks.viewer"
  member   = local.aws_members[each.value.function]
}
