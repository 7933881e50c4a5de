"""What the first context would import late is imported while the process starts.

A bot waits some tenths of a second for its context (the client 0.3), and a process that just
started would spend seconds on imports: the first question after every start would go without an
answer. Where no models and no index are set up nothing is imported early.
"""

from shared.config import Settings
from shared.runtime.app import DescribedApp
from shared.wiring import utc_now

SAID = (
    "明天七点在哪里见？ Shall we meet at seven?",
    "七点在北站 At the north station, at 7 on Friday",
)


def warm(app: DescribedApp, settings: Settings) -> None:
    """Touches no service."""
    if not (settings.openai_api_key and settings.pinecone_api_key):
        return
    app.routes_for("/context")
    # The clients of a context's services, and what asks them; `bench.cold` names the same SDKs.
    import google.cloud.firestore_v1.services.firestore  # noqa: F401
    import openai.resources.embeddings  # noqa: F401
    import pinecone.async_client.pinecone  # noqa: F401

    import shared.clients.embedder
    import shared.clients.openai_calls
    import shared.search.events
    import shared.search.graph
    import shared.search.known_profiles
    import shared.search.memories
    import shared.search.messages
    import shared.search.summaries
    import shared.stores.contexts
    import shared.stores.firestore
    import shared.stores.recent_messages  # noqa: F401
    from shared.domain.messages.analyser import analyse
    from shared.domain.messages.stored_message import StoredMessage
    from shared.domain.ranking.lines import Line, prepare
    from shared.domain.ranking.ranker import RankedQuestion, rank

    # Tables and the dictionary of Chinese are loaded, and patterns compiled, by the first line.
    now = utc_now()
    asked = StoredMessage(
        group_id="none:none", message_id="0", user_id="0", content=SAID[0], create_time=now
    )
    analyse(asked)
    lines = [Line(str(n), "Ann", text, now) for n, text in enumerate(SAID)]
    rank(RankedQuestion(SAID[0]), prepare(lines, None))
