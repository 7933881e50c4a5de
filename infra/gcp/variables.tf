variable "project" {
  description = "Google Cloud project id."
  type        = string
}

variable "region" {
  description = "Where functions, queues and schedules live."
  type        = string
  default     = "europe-west1"
}

variable "firestore_location" {
  description = "Where documents live; it cannot be changed later."
  type        = string
  default     = "eur3"
}

variable "environment" {
  description = "Goes into the names, so that several can stand side by side."
  type        = string
  default     = "prod"

  validation {
    condition     = can(regex("^[a-z][a-z0-9]{0,11}$", var.environment))
    error_message = "environment is 1 to 12 small letters and digits, a letter first."
  }
}

variable "size" {
  description = "How many groups to be ready for: 1000, 10000 or 100000 (infra/capacity.toml)."
  type        = string
  default     = "10000"

  validation {
    condition     = contains(["1000", "10000", "100000"], var.size)
    error_message = "size is one of infra/capacity.toml: 1000, 10000 or 100000."
  }
}

variable "bundles" {
  description = "Folder with the zips that `make bundles` left."
  type        = string
  default     = "../../dist"
}

variable "settings" {
  description = "Further environment variables of all functions (docs/settings.md); no secrets."
  type        = map(string)
  default     = {}

  validation {
    condition     = !anytrue([for name in keys(var.settings) : can(regex("(KEY|SECRET|TOKEN)$", name))])
    error_message = "Secrets go to Secret Manager, not into settings."
  }
}

variable "without_secrets" {
  description = "Secrets of the table that this deployment does not have: those of platforms that it does not serve."
  type        = set(string)
  default     = []
}

variable "with_functions" {
  description = "false = only documents and queues, for functions that run on AWS."
  type        = bool
  default     = true
}

variable "aws_account" {
  description = "For functions that run on AWS: the account's number; empty = none."
  type        = string
  default     = ""

  validation {
    condition     = var.aws_account == "" || can(regex("^[0-9]{12}$", var.aws_account))
    error_message = "An account of AWS is twelve digits."
  }
}

variable "alert_email" {
  description = "Who is told when an alert fires."
  type        = string
}

variable "billing_account" {
  description = "For the spending alert; empty = none."
  type        = string
  default     = ""
}

variable "monthly_budget" {
  description = "In the billing account's currency; mail at half, nine tenths and all of it."
  type        = number
  default     = 100
}
