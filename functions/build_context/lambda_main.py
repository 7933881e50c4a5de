"""The Lambda door: its handler is `functions.build_context.lambda_main.handler`."""

from functions.build_context.app import app
from shared.runtime.entrypoints import aws_lambda

handler = aws_lambda(app)
