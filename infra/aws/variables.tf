variable "region" {
  description = "Where the functions live."
  type        = string
  default     = "eu-west-1"
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
  description = "Folder with the zips that `make bundles LAMBDA=python3.13` left."
  type        = string
  default     = "../../dist"
}

variable "google_project" {
  description = "The project that holds Firestore and Cloud Tasks: the functions use both from AWS."
  type        = string
}

variable "google_region" {
  description = "Where the queues live."
  type        = string
}

variable "google_database" {
  description = "The Firestore database."
  type        = string
}

variable "google_tasks_account" {
  description = "The account that tasks carry (output of infra/gcp)."
  type        = string
}

variable "google_external_account" {
  description = "Workload identity federation: the output external_account of infra/gcp; no key in it."
  type        = string

  validation {
    condition     = try(jsondecode(var.google_external_account).type, "") == "external_account"
    error_message = "This is not a configuration of workload identity federation; a service account's key has no place here."
  }
}

variable "keep_warm" {
  description = "Keeps an instance of the functions that somebody waits for. A new account may run ten instances at once and AWS refuses to reserve any of them: first ask for a higher quota."
  type        = bool
  default     = false
}

variable "urls" {
  description = "Where tasks find each function: the output `task_urls` of the first apply. Lambda gives an address only to what exists, and each function needs the others', so the first apply goes without."
  type        = map(string)
  default     = {}
}

variable "settings" {
  description = "Further environment variables of all functions (docs/settings.md); no secrets."
  type        = map(string)
  default     = {}

  validation {
    condition     = !anytrue([for name in keys(var.settings) : can(regex("(KEY|SECRET|TOKEN)$", name))])
    error_message = "Secrets go to SSM, not into settings."
  }
}

variable "without_secrets" {
  description = "Secrets of the table that this deployment does not have: those of platforms that it does not serve."
  type        = set(string)
  default     = []
}

variable "alert_email" {
  description = "Who is told when an alert fires."
  type        = string
}

variable "monthly_budget" {
  description = "In dollars; mail at half, nine tenths and all of it."
  type        = number
  default     = 100
}
