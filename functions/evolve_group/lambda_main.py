"""The Lambda door: its handler is `functions.evolve_group.lambda_main.handler`."""

from shared.runtime import starting

with starting():
    from functions.evolve_group.app import app
    from shared.runtime.entrypoints import aws_lambda
handler = aws_lambda(app)
