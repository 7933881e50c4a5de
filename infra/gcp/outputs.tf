output "urls" {
  description = "Where each deployment answers."
  value       = local.urls
}

output "secrets" {
  description = "Fill these once: gcloud secrets versions add NAME --data-file=-"
  value       = sort([for secret in google_secret_manager_secret.this : secret.secret_id])
}

output "database" {
  value = google_firestore_database.this.name
}

output "tasks_account" {
  description = "The account that tasks carry."
  value       = google_service_account.tasks.email
}

output "external_account" {
  description = "For functions on AWS: the variable google_external_account of infra/aws. It holds no key."
  value       = local.external_account
}
