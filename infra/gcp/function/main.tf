# One deployment of one function: its own account with only the rights it uses.

terraform {
  required_providers {
    google = { source = "hashicorp/google" }
  }
}

variable "name" { type = string }
variable "function" { type = string }
variable "project" { type = string }
variable "region" { type = string }
variable "row" { type = any }
variable "bucket" { type = string }
variable "bundle" { type = string }
variable "environment" { type = map(string) }
variable "secrets" { type = map(string) }
variable "queues" { type = map(string) }
variable "tasks_account" { type = string }
variable "tasks_account_key" { type = string }

locals {
  short_name = replace(var.name, "annals-", "an-")
}

# An account's id has at most 30 characters. What is cut would be the same for two functions, so the
# end of a longer name is replaced by a piece of its hash.
resource "google_service_account" "this" {
  account_id   = length(local.short_name) <= 30 ? local.short_name : "${trimsuffix(substr(local.short_name, 0, 23), "-")}-${substr(sha256(var.name), 0, 6)}"
  display_name = "Annals: ${var.name}"
}

resource "google_project_iam_member" "documents" {
  project = var.project
  role    = "roles/datastore.user"
  member  = "serviceAccount:${google_service_account.this.email}"
}

resource "google_cloud_tasks_queue_iam_member" "enqueue" {
  for_each = var.queues
  name     = each.value
  location = var.region
  role     = "roles/cloudtasks.enqueuer"
  member   = "serviceAccount:${google_service_account.this.email}"
}

# The sweep asks whether a task still waits.
resource "google_cloud_tasks_queue_iam_member" "look" {
  for_each = var.queues
  name     = each.value
  location = var.region
  role     = "roles/cloudtasks.viewer"
  member   = "serviceAccount:${google_service_account.this.email}"
}

# Without this every CreateTask with a token is PERMISSION_DENIED.
resource "google_service_account_iam_member" "act_as_tasks" {
  count              = length(var.queues) > 0 ? 1 : 0
  service_account_id = var.tasks_account_key
  role               = "roles/iam.serviceAccountUser"
  member             = "serviceAccount:${google_service_account.this.email}"
}

resource "google_secret_manager_secret_iam_member" "read" {
  for_each  = var.secrets
  secret_id = each.value
  role      = "roles/secretmanager.secretAccessor"
  member    = "serviceAccount:${google_service_account.this.email}"
}

resource "google_storage_bucket_object" "bundle" {
  name   = "${var.name}-${filesha256(var.bundle)}.zip"
  bucket = var.bucket
  source = var.bundle
}

# A faster start and a worker's audience have no field here: `make deploy` sets both afterwards.
resource "google_cloudfunctions2_function" "this" {
  name     = var.name
  location = var.region

  build_config {
    runtime     = "python313"
    entry_point = var.function

    source {
      storage_source {
        bucket = var.bucket
        object = google_storage_bucket_object.bundle.name
      }
    }
  }

  service_config {
    available_cpu                    = tostring(var.row.cpu)
    available_memory                 = "${var.row.memory_mb}Mi"
    timeout_seconds                  = var.row.timeout_s
    max_instance_request_concurrency = var.row.concurrency
    min_instance_count               = var.row.min_instances
    max_instance_count               = var.row.max_instances
    service_account_email            = google_service_account.this.email
    ingress_settings                 = "ALLOW_ALL"
    all_traffic_on_latest_revision   = true
    environment_variables            = var.environment

    dynamic "secret_environment_variables" {
      for_each = var.secrets
      content {
        key        = secret_environment_variables.key
        project_id = var.project
        secret     = secret_environment_variables.value
        version    = "latest"
      }
    }
  }

  depends_on = [
    google_secret_manager_secret_iam_member.read,
    google_project_iam_member.documents,
  ]
}

# Webhooks and bots come with signatures and keys that the function itself checks. A worker takes
# nobody but the tasks' account, and leaves that check to the cloud.
resource "google_cloud_run_service_iam_member" "invoker" {
  location = var.region
  service  = google_cloudfunctions2_function.this.name
  role     = "roles/run.invoker"
  member   = var.row.public ? "allUsers" : "serviceAccount:${var.tasks_account}"
}

output "url" {
  value = google_cloudfunctions2_function.this.url
}

output "account" {
  value = google_service_account.this.email
}

output "account_id" {
  value = google_service_account.this.account_id
}

# What the tests of the plan look at.
output "planned" {
  value = {
    entry_point   = google_cloudfunctions2_function.this.build_config[0].entry_point
    runtime       = google_cloudfunctions2_function.this.build_config[0].runtime
    memory        = google_cloudfunctions2_function.this.service_config[0].available_memory
    cpu           = google_cloudfunctions2_function.this.service_config[0].available_cpu
    timeout_s     = google_cloudfunctions2_function.this.service_config[0].timeout_seconds
    concurrency   = google_cloudfunctions2_function.this.service_config[0].max_instance_request_concurrency
    min_instances = google_cloudfunctions2_function.this.service_config[0].min_instance_count
    max_instances = google_cloudfunctions2_function.this.service_config[0].max_instance_count
    region        = google_cloudfunctions2_function.this.location
    environment   = google_cloudfunctions2_function.this.service_config[0].environment_variables
    secrets       = sort([for one in google_cloudfunctions2_function.this.service_config[0].secret_environment_variables : one.key])
    invoker       = google_cloud_run_service_iam_member.invoker.member
    invoker_role  = google_cloud_run_service_iam_member.invoker.role
    documents     = google_project_iam_member.documents.role
    enqueue       = { for queue, one in google_cloud_tasks_queue_iam_member.enqueue : queue => one.role }
    look          = { for queue, one in google_cloud_tasks_queue_iam_member.look : queue => one.role }
    act_as        = [for one in google_service_account_iam_member.act_as_tasks : one.role]
    secret_role   = distinct([for one in google_secret_manager_secret_iam_member.read : one.role])
  }
}
