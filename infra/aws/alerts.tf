# The alerts of docs/operations.md, over lines that the functions log: ../alerts.toml, in tables.json.

locals {
  alerts = local.tables.alerts
  lines  = { for pair in setproduct(keys(local.deployments), keys(local.alerts)) : "${pair[0]} ${pair[1]}" => { function = pair[0], alert = pair[1] } }
}

resource "aws_sns_topic" "alerts" {
  name = "${local.prefix}-alerts"
}

resource "aws_sns_topic_subscription" "mail" {
  topic_arn = aws_sns_topic.alerts.arn
  protocol  = "email"
  endpoint  = var.alert_email
}

resource "aws_cloudwatch_log_metric_filter" "alert" {
  for_each       = local.lines
  name           = "${local.prefix}-${each.value.alert}"
  log_group_name = module.function[each.value.function].log_group
  pattern = "{ ${join(" && ", concat(
    ["$.message = \"${local.alerts[each.value.alert].line}\""],
    [for field, value in local.alerts[each.value.alert].where : "$.${field} = \"${value}\""],
  ))} }"

  metric_transformation {
    name      = each.value.alert
    namespace = local.prefix
    value     = "1"
  }
}

resource "aws_cloudwatch_metric_alarm" "alert" {
  for_each            = local.alerts
  alarm_name          = "${local.prefix}-${each.key}"
  alarm_description   = "${each.value.means} What to do: docs/operations.md, ${each.key}."
  namespace           = local.prefix
  metric_name         = each.key
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = each.value.over
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alerts.arn]
}

resource "aws_cloudwatch_dashboard" "this" {
  dashboard_name = local.prefix
  dashboard_body = jsonencode({
    widgets = concat([
      for n, chart in [
        { title = "Calls", metric = "Invocations", stat = "Sum" },
        { title = "Duration, 95th percentile", metric = "Duration", stat = "p95" },
        { title = "Errors", metric = "Errors", stat = "Sum" },
        { title = "At once", metric = "ConcurrentExecutions", stat = "Maximum" },
        ] : {
        type = "metric", x = (n % 2) * 12, y = floor(n / 2) * 6, width = 12, height = 6
        properties = {
          title   = chart.title
          region  = var.region
          stat    = chart.stat
          period  = 60
          metrics = [for name in values(local.names) : ["AWS/Lambda", chart.metric, "FunctionName", name]]
        }
      }
      ], [
      # Of the line that /cron/alerts logs in CloudWatch's embedded metric format.
      for n, name in sort(keys(local.tables.metrics.all)) : {
        type = "metric", x = (n % 4) * 6, y = 12 + floor(n / 4) * 5, width = 6, height = 5
        properties = {
          title   = local.tables.metrics.all[name].means
          region  = var.region
          stat    = "Average"
          period  = 300
          metrics = [[local.tables.metrics.namespace, name, "function", "build_context"]]
        }
      }
    ])
  })
}

resource "aws_budgets_budget" "this" {
  name         = local.prefix
  budget_type  = "COST"
  limit_amount = tostring(var.monthly_budget)
  limit_unit   = "USD"
  time_unit    = "MONTHLY"

  dynamic "notification" {
    for_each = [50, 90, 100]
    content {
      comparison_operator        = "GREATER_THAN"
      threshold                  = notification.value
      threshold_type             = "PERCENTAGE"
      notification_type          = "ACTUAL"
      subscriber_email_addresses = [var.alert_email]
    }
  }
}
