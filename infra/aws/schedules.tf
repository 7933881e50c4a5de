resource "aws_iam_role" "scheduler" {
  name = "${local.prefix}-scheduler"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "scheduler.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy" "invoke" {
  name = "invoke"
  role = aws_iam_role.scheduler.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "lambda:InvokeFunction"
      Resource = distinct([for row in local.tables.schedules : module.function[row.function].arn])
    }]
  })
}

# EventBridge wants six fields and one of the two days left open: `* * * * *` is `* * * * ? *`.
resource "aws_scheduler_schedule" "cron" {
  for_each                     = { for row in local.tables.schedules : row.route => row }
  name                         = "${local.prefix}-${trimprefix(each.value.route, "/cron/")}"
  schedule_expression          = "cron(${join(" ", slice(split(" ", each.value.cron), 0, 4))} ? *)"
  schedule_expression_timezone = "UTC"

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = module.function[each.value.function].arn
    role_arn = aws_iam_role.scheduler.arn
    input    = jsonencode({ cron = trimprefix(each.value.route, "/cron/") })

    retry_policy {
      maximum_retry_attempts       = 2
      maximum_event_age_in_seconds = 300
    }
  }
}
