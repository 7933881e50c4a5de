# `terraform test`, offline: the values that are planned, one by one, against the tables.

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
  google_database         = "annals-database"
  google_tasks_account    = "tasks@annals-test.iam.gserviceaccount.com"
  google_external_account = "{\"type\": \"external_account\"}"
  alert_email             = "ops@example.org"
  bundles                 = "./tests/bundles"
}

run "functions_are_as_their_rows_say" {
  command = apply

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.handler == "functions.${row.function}.lambda_main.handler"])
    error_message = "A function starts at another one's door."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.runtime == "python3.13"])
    error_message = "Bundles are made for Python 3.13."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.memory_mb == max(1769, row.memory_mb)])
    error_message = "Less than 1,769 MB is less than a processor."
  }

  assert {
    condition     = alltrue([for name, row in local.deployments : module.function[name].planned.timeout_s == row.timeout_s])
    error_message = "A function's time is not its row's."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.environment.ANNALS_TASK_AUTH == "oidc" && one.planned.environment.FIRESTORE_DATABASE == "annals-database" && one.planned.environment.ANNALS_TASK_AUDIENCE == local.prefix])
    error_message = "Nothing stands before a Function URL that checks a token: the functions must, and use the right database."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.assumed_by == "lambda.amazonaws.com"])
    error_message = "Lambda cannot take on the function's role."
  }

  assert {
    condition     = alltrue([for one in module.function : contains(one.planned.log_actions, "logs:PutLogEvents") && contains(one.planned.log_actions, "logs:CreateLogStream")])
    error_message = "A function cannot write its log."
  }

  assert {
    condition     = alltrue([for name, one in module.function : one.planned.log_group == "/aws/lambda/${local.names[name]}"])
    error_message = "Lambda writes into a group of its own name; another is never kept short."
  }
}

run "urls_answer" {
  command = apply

  assert {
    condition     = alltrue([for one in module.function : one.planned.publishes && one.planned.url_qualifier == "live" && one.planned.right_on == "live"])
    error_message = "The URL, its right and the published version must be of the same alias."
  }

  assert {
    condition     = alltrue([for one in module.function : one.planned.url_auth == "NONE" && one.planned.right == "lambda:InvokeFunctionUrl" && one.planned.right_of == "*"])
    error_message = "Webhooks cannot sign requests for AWS: everybody may call the URL."
  }
}

run "schedules_call_what_they_name" {
  command = apply

  assert {
    condition     = alltrue([for row in local.tables.schedules : jsondecode(aws_scheduler_schedule.cron[row.route].target[0].input).cron == trimprefix(row.route, "/cron/")])
    error_message = "A schedule names another route."
  }

  assert {
    condition     = alltrue([for row in local.tables.schedules : strcontains(aws_scheduler_schedule.cron[row.route].schedule_expression, join(" ", slice(split(" ", row.cron), 0, 4)))])
    error_message = "A schedule comes at another time than the table says."
  }

  assert {
    condition     = jsondecode(aws_iam_role_policy.invoke.policy).Statement[0].Action == "lambda:InvokeFunction" && jsondecode(aws_iam_role.scheduler.assume_role_policy).Statement[0].Principal.Service == "scheduler.amazonaws.com"
    error_message = "The scheduler may not call the functions."
  }

  assert {
    condition     = aws_s3_bucket_public_access_block.bundles.block_public_acls && aws_s3_bucket_public_access_block.bundles.restrict_public_buckets
    error_message = "The bundles are open to everybody."
  }
}
