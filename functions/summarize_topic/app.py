"""Topics, their summaries, and messages as they were said."""

from shared.config import problems, settings
from shared.contracts.queues import queues
from shared.runtime.app import create_app
from shared.runtime.late_routes import RoutesOf
from shared.wiring import find_key

app = create_app(
    "summarize_topic",
    RoutesOf("functions.summarize_topic.routes_topics", ("/topics",)),
    RoutesOf("functions.summarize_topic.routes_groups", ("/groups/",)),
    RoutesOf(
        "functions.summarize_topic.routes_tasks",
        (
            "/tasks/",
            "/cron/",
        ),
    ),
    find_key=find_key,
    settings=settings(),
    problems=problems(),
    timeout_s=queues()["summarize"].function_timeout_s,
)
