"""What kind of message a text is; the first rule that fits decides."""

from shared.domain.analysis import small_talk
from shared.domain.analysis.answers import tells
from shared.domain.analysis.cues import Said
from shared.domain.analysis.features import MessageType
from shared.domain.analysis.notices import announces, is_for_the_calendar, is_labelled
from shared.domain.analysis.questions import asks


def classify(
    said: Said,
    *,
    is_to_everyone: bool = False,
    replied: Said | None = None,
    has_file: bool = False,
) -> MessageType:
    """`replied` is what the message replies to; an answer needs a question."""
    is_reply_to_question = replied is not None and asks(replied)
    if not said.line:
        return MessageType.ANSWER if has_file and is_reply_to_question else MessageType.CASUAL
    if is_labelled(said):
        return MessageType.NOTIFICATION
    if asks(said):
        return MessageType.QUESTION
    if is_to_everyone:
        return MessageType.NOTIFICATION
    if small_talk.is_reaction(said):
        return MessageType.CASUAL
    if is_reply_to_question:
        return MessageType.ANSWER
    if small_talk.is_social(said):
        return MessageType.CASUAL
    if announces(said):
        return MessageType.NOTIFICATION
    if small_talk.is_mood(said):
        return MessageType.CASUAL
    if is_for_the_calendar(said):
        return MessageType.NOTIFICATION
    if tells(said):
        return MessageType.ANSWER
    if small_talk.is_tiny(said):
        return MessageType.CASUAL
    return MessageType.DISCUSSION
