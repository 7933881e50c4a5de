"""What the first webhook would import late is imported while the process starts.

Platforms give a webhook one to three seconds, and a process that just started would spend most of
them on imports. Where no platform is set up nothing is imported early: a start without settings
stays as cheap as it was, and bots that post messages themselves pay as they did.
"""

from shared.config import Settings
from shared.domain.messages.analyser import analysed
from shared.domain.messages.message import Message
from shared.runtime.app import DescribedApp
from shared.wiring import utc_now


def warm(app: DescribedApp, settings: Settings) -> None:
    """Touches no service."""
    if not settings.of_chat_platforms():
        return
    app.routes_for("/webhooks/")
    import cryptography.hazmat.primitives.ciphers.modes  # noqa: F401
    import google.cloud.firestore_v1.services.firestore
    import google.cloud.tasks_v2  # noqa: F401

    import shared.jobs.dispatch
    import shared.platforms.registry
    import shared.stores.groups  # noqa: F401

    # Patterns are compiled, and the dictionary of Chinese is loaded, by the first line read.
    analysed(
        Message(
            group_id="none:none",
            message_id="none",
            user_id="none",
            content="明天七点在哪里见？ Shall we meet at seven?",
            create_time=utc_now(),
        )
    )
