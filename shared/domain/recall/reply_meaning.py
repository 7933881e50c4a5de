"""How well a line replies to a question by meaning: what attribution learnt of replies, or cosine.

Nearness finds lines that say the same as the question; a line that answers it says something else.
Attribution's tables have a number for each direction of an embedding model's vectors that tells
how much it counts between a text and its reply. Of a model that nobody fitted all count alike.
"""

from collections.abc import Mapping, Sequence

from shared.domain.messages.stored_message import StoredMessage


def reply_scores(
    question: Sequence[float] | None, messages: Sequence[StoredMessage], model: str
) -> Mapping[str, float]:
    """By message id, for those whose own vector is of the question's model; on no fixed scale."""
    known = [one for one in messages if one.vector and one.vector_model == model]
    if question is None or not known:
        return {}
    import numpy as np

    from shared.domain.attribution.tables import tables_for

    asked = np.asarray(question, np.float32)
    known = [one for one in known if len(one.vector) == 2 * len(asked)]
    if not known or not asked.any():
        return {}
    rows = np.stack([np.frombuffer(one.vector, "<f2") for one in known]).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    weights = tables_for(model).plain.probes.reply
    wanted = asked / np.linalg.norm(asked)
    scores = rows @ (wanted if weights is None else wanted * weights)
    return {one.message_id: float(score) for one, score in zip(known, scores, strict=True)}
