"""What the first context would import late is imported while the process starts.

A bot waits some tenths of a second for its context (the client 0.3), and a process that just
started would spend seconds on imports: the first question after every start would go without an
answer. Where no models and no index are set up nothing is imported early.
"""

import importlib
from datetime import timedelta

from shared.config import Settings
from shared.wiring import utc_now

LATE = (
    "google.cloud.firestore_v1.services.firestore",
    "openai.resources.embeddings",
    "pinecone.async_client.pinecone",
    "shared.clients.embedder",
    "shared.clients.openai_calls",
    "shared.search.events",
    "shared.search.graph",
    "shared.search.known_profiles",
    "shared.search.memories",
    "shared.search.messages",
    "shared.search.summaries",
    "shared.stores.contexts",
    "shared.stores.firestore",
    "shared.stores.recent_messages",
)
"""The clients of a context's services, and what asks them; `bench.cold` names the same SDKs."""
SAID = (
    "明天七点在哪里见？ Shall we meet at seven?",
    "七点在北站 At the north station, at 7 on Friday",
)


def warm(settings: Settings) -> None:
    """Touches no service."""
    if not (settings.openai_api_key and settings.pinecone_api_key):
        return
    for name in LATE:
        importlib.import_module(name)
    from shared.domain.analysis.analyser import analyse
    from shared.domain.attribution.following import follow
    from shared.domain.messages.stored_message import StoredMessage
    from shared.domain.recall.question import recall_question
    from shared.domain.recall.ranking import Lines, rank
    from shared.domain.text.words import terms

    # Tables and the dictionary of Chinese are loaded, and patterns compiled, by the first line.
    now = utc_now()
    lines = [
        StoredMessage(
            group_id="none:none",
            message_id=str(number),
            user_id=str(number),
            content=content,
            create_time=now - timedelta(minutes=2 - number),
            terms=tuple(terms(content)),
        )
        for number, content in enumerate(SAID)
    ]
    analyse(lines[0])
    follow(lines[1], None, lines[:1], model=settings.embedding_model)
    asked = recall_question(SAID[0], {"0": "Ann"}, now=now, asker="1", bots=set())
    rank(asked, Lines(lines, unbroken=["0", "1"]))
