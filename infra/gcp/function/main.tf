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

resource "google_service_account" "this" {
  account_id   = substr(replace(var.name, "annals-", "an-"), 0, 30)
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

# `startup_boost` of the row has no field here: `make deploy` sets it on the service afterwards.
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
