# One deployment of one function: its own role with only the rights it uses. What it may do on Google
# Cloud hangs on this role, through the pool of workload identities.

terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

variable "name" { type = string }
variable "function" { type = string }
variable "row" { type = any }
variable "bucket" { type = string }
variable "bundle" { type = string }
variable "environment" { type = map(string) }
variable "topic" { type = string }
variable "is_kept_warm" { type = bool }

resource "aws_iam_role" "this" {
  name = var.name
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "lambda.amazonaws.com" } }]
  })
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/aws/lambda/${var.name}"
  retention_in_days = 30
}

resource "aws_iam_role_policy" "logs" {
  name = "logs"
  role = aws_iam_role.this.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
      Resource = "${aws_cloudwatch_log_group.this.arn}:*"
    }]
  })
}

resource "aws_s3_object" "bundle" {
  bucket      = var.bucket
  key         = "${var.name}-${filesha256(var.bundle)}.zip"
  source      = var.bundle
  source_hash = filesha256(var.bundle)
}

resource "aws_lambda_function" "this" {
  function_name = var.name
  role          = aws_iam_role.this.arn
  runtime       = "python3.13"
  architectures = ["x86_64"]
  handler       = "functions.${var.function}.lambda_main.handler"
  s3_bucket     = var.bucket
  s3_key        = aws_s3_object.bundle.key
  timeout       = var.row.timeout_s
  # 1,769 MB is one processor, and a cold start is a second of imports.
  memory_size = max(1769, var.row.memory_mb)
  publish     = true

  environment {
    variables = var.environment
  }

  depends_on = [aws_cloudwatch_log_group.this, aws_iam_role_policy.logs]
}

resource "aws_lambda_alias" "live" {
  name             = "live"
  function_name    = aws_lambda_function.this.function_name
  function_version = aws_lambda_function.this.version
}

resource "aws_lambda_provisioned_concurrency_config" "warm" {
  count                             = var.is_kept_warm && var.row.min_instances > 0 ? 1 : 0
  function_name                     = aws_lambda_function.this.function_name
  qualifier                         = aws_lambda_alias.live.name
  provisioned_concurrent_executions = var.row.min_instances
}

# A gateway would cut long tasks after 30 seconds; a Function URL does not. Signatures, keys and
# tokens are checked by the function.
resource "aws_lambda_function_url" "this" {
  function_name      = aws_lambda_function.this.function_name
  qualifier          = aws_lambda_alias.live.name
  authorization_type = "NONE"
}

# `make deploy` grants the other half, lambda:InvokeFunction, afterwards (infra/deploy/function_urls.py).
resource "aws_lambda_permission" "url" {
  statement_id           = "function-url"
  action                 = "lambda:InvokeFunctionUrl"
  function_name          = aws_lambda_function.this.function_name
  qualifier              = aws_lambda_alias.live.name
  principal              = "*"
  function_url_auth_type = "NONE"
}

resource "aws_cloudwatch_metric_alarm" "errors" {
  alarm_name          = "${var.name}-errors"
  alarm_description   = "More than one call in twenty fails. What to do: docs/operations.md, requests_fail."
  comparison_operator = "GreaterThanThreshold"
  threshold           = 5
  evaluation_periods  = 1
  alarm_actions       = [var.topic]
  treat_missing_data  = "notBreaching"

  metric_query {
    id          = "rate"
    expression  = "100 * errors / calls"
    label       = "errors, per cent"
    return_data = true
  }

  dynamic "metric_query" {
    for_each = { errors = "Errors", calls = "Invocations" }
    content {
      id = metric_query.key
      metric {
        namespace   = "AWS/Lambda"
        metric_name = metric_query.value
        period      = 300
        stat        = "Sum"
        dimensions  = { FunctionName = aws_lambda_function.this.function_name }
      }
    }
  }
}

output "url" {
  value = trimsuffix(aws_lambda_function_url.this.function_url, "/")
}

output "arn" {
  value = aws_lambda_alias.live.arn
}

output "role" {
  value = aws_iam_role.this.arn
}

output "log_group" {
  value = aws_cloudwatch_log_group.this.name
}

output "is_warm" {
  value = length(aws_lambda_provisioned_concurrency_config.warm) > 0
}

# What the tests of the plan look at.
output "planned" {
  value = {
    handler       = aws_lambda_function.this.handler
    runtime       = aws_lambda_function.this.runtime
    memory_mb     = aws_lambda_function.this.memory_size
    timeout_s     = aws_lambda_function.this.timeout
    publishes     = aws_lambda_function.this.publish
    environment   = aws_lambda_function.this.environment[0].variables
    url_qualifier = aws_lambda_function_url.this.qualifier
    url_auth      = aws_lambda_function_url.this.authorization_type
    right         = aws_lambda_permission.url.action
    right_of      = aws_lambda_permission.url.principal
    right_on      = aws_lambda_permission.url.qualifier
    assumed_by    = jsondecode(aws_iam_role.this.assume_role_policy).Statement[0].Principal.Service
    log_actions   = jsondecode(aws_iam_role_policy.logs.policy).Statement[0].Action
    log_group     = aws_cloudwatch_log_group.this.name
  }
}
