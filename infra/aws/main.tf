# Annals on AWS Lambda. Documents and queues stay on Google Cloud (infra/gcp makes them), reached by
# workload identity federation. What there is to deploy stands in ../tables.json.

terraform {
  required_version = ">= 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.80"
    }
  }
}

provider "aws" {
  region = var.region
}

locals {
  tables      = jsondecode(file("${path.module}/../tables.json"))
  size        = local.tables.sizes[var.size]
  deployments = { for name, row in local.tables.deployments : name => merge(row, local.size.deployments[name]) }
  secrets     = setsubtract(toset(local.tables.secrets), var.without_secrets)
  prefix      = "annals-${var.environment}"
  names       = { for name, row in local.deployments : name => replace("${local.prefix}-${name}", "_", "-") }

  environment = merge(local.size.settings, var.settings, {
    GOOGLE_CLOUD_PROJECT           = var.google_project
    FIRESTORE_DATABASE             = var.google_database
    CLOUD_TASKS_LOCATION           = var.google_region
    ANNALS_TASK_AUDIENCE           = local.prefix
    ANNALS_TASK_SERVICE_ACCOUNT    = var.google_tasks_account
    ANNALS_GOOGLE_EXTERNAL_ACCOUNT = var.google_external_account
    # No cloud stands before a Function URL that could check a token of Google's: the functions do.
    ANNALS_TASK_AUTH = "oidc"
    }, {
    for function, url in var.urls : "ANNALS_URL_${upper(function)}" => url
  })
}

resource "aws_s3_bucket" "bundles" {
  bucket_prefix = "${local.prefix}-bundles-"
}

resource "aws_s3_bucket_public_access_block" "bundles" {
  bucket                  = aws_s3_bucket.bundles.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

# Put there by `make secrets`, which reads them from a pipe.
data "aws_ssm_parameter" "secret" {
  for_each = local.secrets
  name     = "/${local.prefix}/${each.value}"
}

module "function" {
  source   = "./function"
  for_each = local.deployments

  name        = local.names[each.key]
  function    = each.value.function
  row         = each.value
  bucket      = aws_s3_bucket.bundles.id
  bundle      = "${var.bundles}/${each.value.function}-aws.zip"
  environment = merge(local.environment, { for name in setintersection(each.value.secrets, local.secrets) : name => data.aws_ssm_parameter.secret[name].value })
  topic       = aws_sns_topic.alerts.arn

  is_kept_warm = var.keep_warm
}
