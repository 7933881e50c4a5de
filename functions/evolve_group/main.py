"""The Cloud Run door: `functions-framework --asgi --target evolve_group`."""

from shared.runtime import starting

with starting():
    from functions.evolve_group.app import app
    from shared.runtime.entrypoints import cloud_run
evolve_group = cloud_run(app)
