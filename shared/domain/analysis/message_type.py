"""What kind of message a text is; the first rule that fits decides."""

from shared.domain.analysis import cues, small_talk
from shared.domain.analysis.answers import tells
from shared.domain.analysis.features import MessageType
from shared.domain.analysis.notices import announces, is_labelled
from shared.domain.analysis.questions import asks


def classify(
    text: str,
    *,
    is_to_everyone: bool = False,
    replied_text: str | None = None,
    has_file: bool = False,
) -> MessageType:
    """`text` comes without mentions and placeholders; `replied_text` is what it replies to."""
    said = cues.read(text)
    if not said.line:
        is_answer = has_file and _is_question(replied_text)
        return MessageType.ANSWER if is_answer else MessageType.CASUAL
    if is_labelled(said):
        return MessageType.NOTIFICATION
    if asks(said):
        return MessageType.QUESTION
    if is_to_everyone:
        return MessageType.NOTIFICATION
    if small_talk.is_reaction(said):
        return MessageType.CASUAL
    if _is_question(replied_text):
        return MessageType.ANSWER
    if small_talk.is_social(said):
        return MessageType.CASUAL
    if announces(said):
        return MessageType.NOTIFICATION
    if tells(said):
        return MessageType.ANSWER
    if small_talk.is_mood(said) or small_talk.is_tiny(said):
        return MessageType.CASUAL
    return MessageType.DISCUSSION


def _is_question(text: str | None) -> bool:
    return bool(text) and asks(cues.read(text or ""))
