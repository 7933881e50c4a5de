"""The Lambda door: its handler is `functions.ingest_message.lambda_main.handler`."""

from functions.ingest_message.app import app
from shared.runtime.entrypoints import aws_lambda

handler = aws_lambda(app)
