"""The Cloud Run door: `functions-framework --asgi --target build_context`."""

from shared.runtime import starting

with starting():
    from functions.build_context.app import app
    from functions.build_context.warm import warm
    from shared.config import settings
    from shared.runtime.entrypoints import cloud_run

    warm(app, settings())
build_context = cloud_run(app)
