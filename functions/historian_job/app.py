"""Notes to events, forgetting, and what an operator needs."""

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app
from shared.runtime.late_routes import RoutesOf
from shared.wiring import find_key

app = create_app(
    "historian_job",
    RoutesOf("functions.historian_job.routes_events", ("/events",)),
    RoutesOf("functions.historian_job.routes_profiles", ("/profiles/",)),
    RoutesOf("functions.historian_job.routes_graph", ("/graph", "/entities/")),
    RoutesOf("functions.historian_job.routes_jobs", ("/jobs",)),
    RoutesOf("functions.historian_job.routes_forgets", ("/forgets/", "/groups/")),
    RoutesOf("functions.historian_job.routes_groups", ("/groups/",)),
    RoutesOf("functions.historian_job.routes_members", ("/groups/",)),
    RoutesOf("functions.historian_job.routes_prompts", ("/prompts",)),
    RoutesOf("functions.historian_job.routes_keys", ("/keys", "/usage")),
    RoutesOf("functions.historian_job.routes_tasks", ("/tasks/",)),
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["historian"].function_timeout_s,
)
