# Annals on Google Cloud. What there is to deploy stands in ../tables.json, which comes from
# functions.toml, queues.toml and firestore.indexes.json (`python -m infra.tables`).

terraform {
  required_version = ">= 1.9"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 6.0"
    }
  }
}

provider "google" {
  project = var.project
  region  = var.region
}

locals {
  tables      = jsondecode(file("${path.module}/../tables.json"))
  size        = local.tables.sizes[var.size]
  queues      = { for name, row in local.size.queues : name => merge(local.tables.queues[row.row], row) }
  deployments = { for name, row in local.tables.deployments : name => merge(row, local.size.deployments[name]) if var.with_functions }
  schedules   = var.with_functions ? local.tables.schedules : []
  secrets     = var.with_functions ? setsubtract(toset(local.tables.secrets), var.without_secrets) : toset([])
  prefix      = "annals-${var.environment}"

  # A Cloud Run address is known before the service is there: no function waits for another's.
  service_names = { for name, row in local.deployments : name => replace("${local.prefix}-${name}", "_", "-") }
  urls = {
    for name, service in local.service_names :
    name => "https://${service}-${data.google_project.this.number}.${var.region}.run.app"
  }
  # Tasks of a function go to the deployment that is apart for them, if there is one.
  task_urls = {
    for function in distinct([for row in local.deployments : row.function]) :
    function => lookup(local.urls, "${function}-tasks", local.urls[function])
  }
  environment = merge(local.size.settings, var.settings, {
    GOOGLE_CLOUD_PROJECT        = var.project
    FIRESTORE_DATABASE          = google_firestore_database.this.name
    CLOUD_TASKS_LOCATION        = var.region
    ANNALS_TASK_AUDIENCE        = local.prefix
    ANNALS_TASK_SERVICE_ACCOUNT = google_service_account.tasks.email
    FUNCTION_USE_ASGI           = "true"
    # functions-framework takes it for gunicorn's heartbeat. Between requests Cloud Run withdraws the
    # processor, no heart beats, and gunicorn kills the worker at the next request: 0 = no heartbeat.
    # Cloud Run itself ends a request after its own timeout.
    CLOUD_RUN_TIMEOUT_SECONDS = "0"
    }, {
    for function, url in local.task_urls : "ANNALS_URL_${upper(function)}" => url
  })
}

data "google_project" "this" {
  project_id = var.project
}

resource "google_project_service" "api" {
  for_each           = toset(local.tables.apis)
  service            = each.value
  disable_on_destroy = false
}
