# `terraform test`, offline: the values that are planned, one by one, against the tables.

mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
  mock_resource "google_service_account" {
    defaults = { email = "account@annals-test.iam.gserviceaccount.com" }
  }
}

variables {
  project     = "annals-test"
  alert_email = "ops@example.org"
  bundles     = "./tests/bundles"
  region      = "europe-north1"
}

run "functions_are_as_their_rows_say" {
  command = apply

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.entry_point == row.function])
    error_message = "A function starts at another one's door."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.runtime == "python313"])
    error_message = "Bundles are made for Python 3.13."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.memory == "${row.memory_mb}Mi" && module.function[name].planned.cpu == tostring(row.cpu)])
    error_message = "A function gets other memory or processors than its row says."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.timeout_s == row.timeout_s])
    error_message = "A function's time is not its row's."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.concurrency == row.concurrency && module.function[name].planned.min_instances == row.min_instances && module.function[name].planned.max_instances == row.max_instances])
    error_message = "Instances and their concurrency are not those of the size."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.region == var.region])
    error_message = "A function is in another region."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : toset(module.function[name].planned.secrets) == toset(row.secrets)])
    error_message = "A function gets other secrets than its row says."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.environment.CLOUD_RUN_TIMEOUT_SECONDS == "0"])
    error_message = "gunicorn's heartbeat kills workers that Cloud Run froze."
  }
}

run "who_may_call_whom" {
  command = apply

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.invoker == (row.public ? "allUsers" : "serviceAccount:account@annals-test.iam.gserviceaccount.com")])
    error_message = "A worker is open, or a public function is closed."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.invoker_role == "roles/run.invoker"])
    error_message = "The right to call a service is roles/run.invoker."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.environment.ANNALS_TASK_AUTH == row.task_auth])
    error_message = "A public function leaves the tokens of tasks unchecked, or a worker refuses them."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.environment.ANNALS_TASK_AUDIENCE == local.prefix]) && alltrue([for one in google_cloud_scheduler_job.cron : one.http_target[0].oidc_token[0].audience == local.prefix])
    error_message = "Tokens carry another audience than `make deploy` lets through and functions check."
  }

  assert {
    condition     = alltrue([for row in local.schedules : google_cloud_scheduler_job.cron["${row.function}${row.route}"].http_target[0].uri == "${local.urls[row.function]}${row.route}"])
    error_message = "A schedule calls another address."
  }

  assert {
    condition     = alltrue([for row in local.schedules : google_cloud_scheduler_job.cron["${row.function}${row.route}"].schedule == row.cron])
    error_message = "A schedule comes at another time than the table says."
  }

  assert {
    condition     = local.environment.ANNALS_URL_INGEST_MESSAGE == local.urls["ingest_message-tasks"] && local.environment.ANNALS_URL_BUILD_CONTEXT == local.urls["build_context"]
    error_message = "Tasks of a function with a worker go to the worker."
  }
}

run "rights_are_the_least" {
  command = apply

  assert {
    condition     = alltrue([for one in module.function : one.planned.documents == "roles/datastore.user"])
    error_message = "Functions read and write documents, no less and no more."
  }

  assert {
    condition     = alltrue(flatten([for one in module.function : [for role in values(one.planned.enqueue) : role == "roles/cloudtasks.enqueuer"]])) && alltrue(flatten([for one in module.function : [for role in values(one.planned.look) : role == "roles/cloudtasks.viewer"]]))
    error_message = "A function may not put tasks into its queues, or not look at them."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : toset([for queue in keys(module.function[name].planned.enqueue) : local.queues[queue].row]) == toset(row.queues)])
    error_message = "A function has rights on other queues than its row says."
  }

  assert {
    condition     = alltrue(flatten([for one in module.function : [for role in one.planned.act_as : role == "roles/iam.serviceAccountUser"]]))
    error_message = "Without iam.serviceAccounts.actAs every task with a token is refused."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.secret_role == ["roles/secretmanager.secretAccessor"]])
    error_message = "A function cannot read its secrets, or may do more with them."
  }
}

run "queues_are_where_the_functions_are" {
  command = apply

  assert {
    condition     = alltrue([for one in google_cloud_tasks_queue.this : one.location == var.region]) && alltrue([for one in google_cloud_scheduler_job.cron : one.region == var.region])
    error_message = "Queues and schedules are in another region than the functions look in."
  }

  assert {
    condition     = alltrue([for name, row in local.queues : google_cloud_tasks_queue.this[name].retry_config[0].max_attempts == row.max_attempts && google_cloud_tasks_queue.this[name].rate_limits[0].max_concurrent_dispatches == row.concurrency])
    error_message = "A queue retries or dispatches otherwise than its row says."
  }

  assert {
    condition     = alltrue([for one in google_firestore_index.composite : one.database == local.prefix]) && google_firestore_database.this.point_in_time_recovery_enablement == "POINT_IN_TIME_RECOVERY_ENABLED" && google_firestore_database.this.delete_protection_state == "DELETE_PROTECTION_ENABLED"
    error_message = "Indexes belong to the deployment's own database, which can be brought back."
  }
}
