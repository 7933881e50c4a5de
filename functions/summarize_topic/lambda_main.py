"""The Lambda door: its handler is `functions.summarize_topic.lambda_main.handler`."""

from shared.runtime import starting

with starting():
    from functions.summarize_topic.app import app
    from shared.runtime.entrypoints import aws_lambda
handler = aws_lambda(app)
