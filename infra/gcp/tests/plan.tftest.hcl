# `terraform test`, offline: what the plan must hold.

mock_provider "google" {
  mock_data "google_project" {
    defaults = { number = "123456789012" }
  }
}

variables {
  project     = "annals-test"
  alert_email = "ops@example.org"
  bundles     = "./tests/bundles"
}

run "what_is_deployed" {
  command = apply

  assert {
    condition     = length(module.function) == length(local.tables.deployments)
    error_message = "A row of the table has no function."
  }

  assert {
    condition     = length(google_cloud_scheduler_job.cron) == length(local.tables.schedules)
    error_message = "A schedule of the table is missing."
  }

  assert {
    condition     = length(google_firestore_index.composite) == length(local.tables.indexes)
    error_message = "An index of the table is missing, or two are the same."
  }

  assert {
    condition     = length(google_monitoring_alert_policy.this) == length(local.tables.alerts)
    error_message = "An alert of the table is missing."
  }

  assert {
    condition     = toset(keys(local.environment)) == toset(local.tables.environment.gcp)
    error_message = "The functions get other settings than the table says."
  }

  assert {
    condition     = length(google_cloud_tasks_queue.this) == length(local.tables.sizes["10000"].queues)
    error_message = "A queue of the size is missing."
  }

  assert {
    condition     = length([for one in google_firestore_field.override : one if length(one.ttl_config) > 0]) == length([for one in local.tables.field_overrides : one if try(one.ttl, false)])
    error_message = "A policy of time to live is missing."
  }

  assert {
    condition     = length(google_project_iam_member.aws_documents) == 0
    error_message = "Nobody on AWS has rights without an account there."
  }
}

run "for_a_hundred_thousand_groups" {
  command = apply
  variables {
    size = "100000"
  }

  assert {
    condition     = google_cloud_tasks_queue.this["attribute-2"].rate_limits[0].max_dispatches_per_second == local.tables.sizes["100000"].queues["attribute-2"].rate_per_second
    error_message = "Attribution is not spread over several queues."
  }

  assert {
    condition     = local.environment.ANNALS_ATTRIBUTE_QUEUES == local.tables.sizes["100000"].settings.ANNALS_ATTRIBUTE_QUEUES
    error_message = "The functions do not know over how many."
  }
}

run "a_size_that_nobody_planned" {
  command         = plan
  expect_failures = [var.size]
  variables {
    size = "12"
  }
}

run "for_functions_on_aws" {
  command = apply
  variables {
    with_functions = false
    aws_account    = "123456789012"
  }

  assert {
    condition     = length(module.function) == 0 && length(google_secret_manager_secret.this) == 0
    error_message = "A function is deployed that was not wanted."
  }

  assert {
    condition     = length(google_project_iam_member.aws_documents) == length(local.tables.deployments)
    error_message = "A role on AWS has no right to the documents."
  }

  assert {
    condition     = jsondecode(output.external_account).type == "external_account"
    error_message = "The federation's configuration is not one."
  }
}

run "a_secret_that_is_left_out" {
  command = apply
  variables {
    without_secrets = ["SLACK_SIGNING_SECRET"]
  }

  assert {
    condition     = !contains(keys(google_secret_manager_secret.this), "SLACK_SIGNING_SECRET")
    error_message = "A secret is there that was left out."
  }
}

run "a_secret_is_no_setting" {
  command         = plan
  expect_failures = [var.settings]
  variables {
    settings = { OPENAI_API_KEY = "x" }
  }
}

run "an_account_is_twelve_digits" {
  command         = plan
  expect_failures = [var.aws_account]
  variables {
    aws_account = "mine"
  }
}

run "accounts_of_a_long_name_differ" {
  command = apply
  variables {
    environment = "development1"
  }

  assert {
    condition     = length(distinct([for one in module.function : one.account_id])) == length(local.deployments)
    error_message = "Two functions have the same account."
  }

  assert {
    condition     = alltrue([for one in module.function : can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", one.account_id))])
    error_message = "Google refuses an account's id: 6 to 30 characters, a letter or digit last."
  }
}
