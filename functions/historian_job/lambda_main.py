"""The Lambda door: its handler is `functions.historian_job.lambda_main.handler`."""

from shared.runtime import starting

with starting():
    from functions.historian_job.app import app
    from shared.runtime.entrypoints import aws_lambda
handler = aws_lambda(app)
