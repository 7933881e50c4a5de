"""The Lambda door: its handler is `functions.ingest_message.lambda_main.handler`."""

from shared.runtime import starting

with starting():
    from functions.ingest_message.app import app
    from functions.ingest_message.warm import warm
    from shared.config import settings
    from shared.runtime.entrypoints import aws_lambda

    warm(app, settings())
handler = aws_lambda(app)
