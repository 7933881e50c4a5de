"""The Cloud Run door: `functions-framework --asgi --target ingest_message`."""

from shared.runtime import starting

with starting():
    from functions.ingest_message.app import app
    from functions.ingest_message.warm import warm
    from shared.config import settings
    from shared.runtime.entrypoints import cloud_run

    warm(app, settings())
ingest_message = cloud_run(app)
