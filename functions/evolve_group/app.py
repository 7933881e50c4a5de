"""Runs, the memory API, and upkeep."""

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app
from shared.runtime.late_routes import RoutesOf
from shared.wiring import find_key

app = create_app(
    "evolve_group",
    RoutesOf(
        "functions.evolve_group.routes_runs",
        (
            "/memory/evolve/",
            "/tasks/",
            "/cron/",
        ),
    ),
    RoutesOf("functions.evolve_group.routes_memories", ("/memory/",)),
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["evolve"].function_timeout_s,
)
