"""The Cloud Run door: `functions-framework --asgi --target ingest_message`."""

from functions.ingest_message.app import app
from shared.runtime.entrypoints import cloud_run

ingest_message = cloud_run(app)
