# The alerts of docs/operations.md, over lines that the functions log: ../alerts.toml, in tables.json.

locals {
  alerts = local.tables.alerts
}

resource "google_monitoring_notification_channel" "mail" {
  display_name = "Annals ${var.environment}"
  type         = "email"
  labels       = { email_address = var.alert_email }
}

resource "google_logging_metric" "alert" {
  for_each = local.alerts
  name     = "${local.prefix}/${each.key}"
  filter = join(" AND ", concat(
    ["resource.type=\"cloud_run_revision\"", "resource.labels.service_name=~\"^${local.prefix}-\"", "jsonPayload.message=\"${each.value.line}\""],
    [for field, value in each.value.where : "jsonPayload.${field}=\"${value}\""],
  ))

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "INT64"
  }
}

# What GET /metrics tells, as numbers of Cloud Monitoring: /cron/alerts logs one line with all of it.
resource "google_logging_metric" "metric" {
  for_each        = local.tables.metrics.all
  name            = "${local.prefix}/metrics/${each.key}"
  description     = each.value.means
  filter          = "resource.type=\"cloud_run_revision\" AND resource.labels.service_name=~\"^${local.prefix}-\" AND jsonPayload.message=\"${local.tables.metrics.line}\""
  value_extractor = "EXTRACT(jsonPayload.${each.key})"
  label_extractors = {
    variant = "EXTRACT(jsonPayload.variant)"
  }

  metric_descriptor {
    metric_kind = "DELTA"
    value_type  = "DISTRIBUTION"
    unit        = each.value.unit

    labels {
      key         = "variant"
      value_type  = "STRING"
      description = "The side of an experiment; empty for all groups together."
    }
  }
}

resource "google_monitoring_alert_policy" "this" {
  for_each              = local.alerts
  display_name          = "Annals ${var.environment}: ${each.key}"
  combiner              = "OR"
  notification_channels = [google_monitoring_notification_channel.mail.name]

  conditions {
    display_name = each.key

    condition_threshold {
      filter          = "metric.type=\"logging.googleapis.com/user/${google_logging_metric.alert[each.key].name}\" AND resource.type=\"cloud_run_revision\""
      comparison      = "COMPARISON_GT"
      threshold_value = each.value.over
      duration        = "0s"

      aggregations {
        alignment_period     = "300s"
        per_series_aligner   = "ALIGN_SUM"
        cross_series_reducer = "REDUCE_SUM"
      }
    }
  }

  documentation {
    content   = "${each.value.means} What to do: docs/operations.md, `${each.key}`."
    mime_type = "text/markdown"
  }
}

resource "google_monitoring_dashboard" "this" {
  dashboard_json = jsonencode({
    displayName = "Annals ${var.environment}"
    mosaicLayout = {
      columns = 12
      tiles = [
        for n, chart in [
          { title = "Requests a second", metric = "run.googleapis.com/request_count", aligner = "ALIGN_RATE" },
          { title = "Latency, 95th percentile", metric = "run.googleapis.com/request_latencies", aligner = "ALIGN_PERCENTILE_95" },
          { title = "Instances", metric = "run.googleapis.com/container/instance_count", aligner = "ALIGN_MAX" },
          { title = "Start-up latency", metric = "run.googleapis.com/container/startup_latencies", aligner = "ALIGN_PERCENTILE_95" },
          ] : {
          xPos = (n % 2) * 6, yPos = floor(n / 2) * 4, width = 6, height = 4
          widget = {
            title = chart.title
            xyChart = {
              dataSets = [{
                timeSeriesQuery = {
                  timeSeriesFilter = {
                    filter = "metric.type=\"${chart.metric}\" resource.type=\"cloud_run_revision\" resource.label.service_name=monitoring.regex.full_match(\"${local.prefix}-.*\")"
                    aggregation = {
                      alignmentPeriod    = "60s"
                      perSeriesAligner   = chart.aligner
                      crossSeriesReducer = "REDUCE_SUM"
                      groupByFields      = ["resource.label.service_name"]
                    }
                  }
                }
              }]
            }
          }
        }
      ]
    }
  })
}

resource "google_billing_budget" "this" {
  count           = var.billing_account == "" ? 0 : 1
  billing_account = var.billing_account
  display_name    = local.prefix

  budget_filter {
    projects = ["projects/${data.google_project.this.number}"]
  }

  amount {
    specified_amount {
      units = tostring(floor(var.monthly_budget))
    }
  }

  dynamic "threshold_rules" {
    for_each = [0.5, 0.9, 1.0]
    content {
      threshold_percent = threshold_rules.value
    }
  }
}
