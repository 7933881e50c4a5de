"""What the task queue calls: jobs of four kinds, each with a module of its own."""

from shared.errors import Broken
from shared.wiring.tasks import Handler, task_routes


def _handler(kind: str) -> Handler:
    match kind:
        case "historian":
            from functions.historian_job import handle_note

            return handle_note.run
        case "profile":
            from functions.historian_job import handle_profile

            return handle_profile.run
        case "move":
            from functions.historian_job import handle_move

            return handle_move.run
        case "forget":
            from functions.historian_job import handle_forget

            return handle_forget.run
    raise Broken(f"no handler does jobs of the kind {kind}")


router = task_routes("historian_job", _handler)
