# `terraform test`, offline: what the plan must hold.

mock_provider "aws" {
  mock_data "aws_ssm_parameter" {
    defaults = { value = "a value of SSM" }
  }
  mock_resource "aws_lambda_alias" {
    defaults = { arn = "arn:aws:lambda:eu-west-1:123456789012:function:annals:live" }
  }
  mock_resource "aws_iam_role" {
    defaults = { arn = "arn:aws:iam::123456789012:role/annals" }
  }
  mock_resource "aws_sns_topic" {
    defaults = { arn = "arn:aws:sns:eu-west-1:123456789012:annals" }
  }
}

variables {
  google_project          = "annals-test"
  google_region           = "europe-west1"
  google_database         = "annals-test"
  google_tasks_account    = "tasks@annals-test.iam.gserviceaccount.com"
  google_external_account = "{\"type\": \"external_account\"}"
  alert_email             = "ops@example.org"
  bundles                 = "./tests/bundles"
}

run "what_is_deployed" {
  command = apply

  assert {
    condition     = length(module.function) == length(local.deployments)
    error_message = "A row of the table has no function."
  }

  assert {
    condition     = toset(keys(local.environment)) == setsubtract(toset(local.tables.environment.aws), [for function in keys(local.tables.deployments) : "ANNALS_URL_${upper(function)}"])
    error_message = "The functions get other settings than the table says."
  }

  assert {
    condition     = length(aws_scheduler_schedule.cron) == length(local.tables.schedules)
    error_message = "A schedule of the table is missing."
  }

  assert {
    condition     = alltrue([for one in aws_scheduler_schedule.cron : can(regex("^cron\\(\\S+ \\S+ \\S+ \\S+ \\? \\*\\)$", one.schedule_expression))])
    error_message = "EventBridge's cron has six fields."
  }
}

run "nothing_is_reserved_of_a_new_account" {
  command = apply

  assert {
    condition     = alltrue([for one in module.function : !one.is_warm])
    error_message = "Provisioned concurrency fails in an account with ten concurrent executions."
  }
}

run "an_instance_is_kept_warm_if_wanted" {
  command = apply
  variables {
    keep_warm = true
  }

  assert {
    condition     = sum([for one in module.function : one.is_warm ? 1 : 0]) == length([for row in local.deployments : row if row.min_instances > 0])
    error_message = "A function that somebody waits for is not kept warm."
  }
}

run "a_key_is_no_federation" {
  command         = plan
  expect_failures = [var.google_external_account]
  variables {
    google_external_account = "{\"type\": \"service_account\"}"
  }
}

run "a_secret_is_no_setting" {
  command         = plan
  expect_failures = [var.settings]
  variables {
    settings = { OPENAI_API_KEY = "x" }
  }
}

run "an_environment_fits_into_names" {
  command         = plan
  expect_failures = [var.environment]
  variables {
    environment = "My Production"
  }
}
