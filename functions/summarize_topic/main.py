"""The Cloud Run door: `functions-framework --asgi --target summarize_topic`."""

from shared.runtime import starting

with starting():
    from functions.summarize_topic.app import app
    from shared.runtime.entrypoints import cloud_run
summarize_topic = cloud_run(app)
