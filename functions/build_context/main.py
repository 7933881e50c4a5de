"""The Cloud Run door: `functions-framework --asgi --target build_context`."""

from functions.build_context.app import app
from shared.runtime.entrypoints import cloud_run

build_context = cloud_run(app)
