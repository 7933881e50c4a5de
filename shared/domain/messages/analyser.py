"""Everything a message tells by itself, in one pass, the same every time."""

from shared.domain.messages.addressing import find_mentions, find_reply, without_mentions
from shared.domain.messages.features import Features
from shared.domain.messages.message import EVERYONE, Message, without_placeholders
from shared.language import guess_language, keywords, message_type, terms


def analyse(message: Message, replied: Message | None = None) -> Features:
    """`replied` is what this one answers, where it is known: it tells an answer from talk."""
    mentions = find_mentions(message)
    plain = without_placeholders(message.content)
    subject = without_mentions(plain, mentions)
    return Features(
        message_type=message_type(
            subject,
            replied=_subject(replied) if replied else None,
            is_to_everyone=EVERYONE in mentions,
            has_file=bool(message.attachments),
        ),
        language=guess_language(subject),
        reply=find_reply(message, mentions, replied),
        keywords=keywords(subject),
    )


def analysed(message: Message) -> tuple[Features, tuple[str, ...]]:
    """And its terms, for finding it."""
    return analyse(message), tuple(terms(without_placeholders(message.content)))


def _subject(message: Message) -> str:
    return without_mentions(without_placeholders(message.content), find_mentions(message))
