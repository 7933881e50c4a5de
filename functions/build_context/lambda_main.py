"""The Lambda door: its handler is `functions.build_context.lambda_main.handler`."""

from shared.runtime import starting

with starting():
    from functions.build_context.app import app
    from functions.build_context.warm import warm
    from shared.config import settings
    from shared.runtime.entrypoints import aws_lambda

    warm(app, settings())
handler = aws_lambda(app)
