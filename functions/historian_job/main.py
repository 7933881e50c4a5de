"""The Cloud Run door: `functions-framework --asgi --target historian_job`."""

from shared.runtime import starting

with starting():
    from functions.historian_job.app import app
    from shared.runtime.entrypoints import cloud_run
historian_job = cloud_run(app)
