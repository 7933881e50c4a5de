"""Everything a message tells by itself, in one pass, the same every time."""

from shared.domain.analysis.addressing import find_mentions, find_reply, without_mentions
from shared.domain.analysis.features import Features
from shared.domain.analysis.message_type import classify
from shared.domain.language import guess_language
from shared.domain.message import EVERYONE, Message, without_placeholders
from shared.domain.words import keywords, terms


def analyse(message: Message, replied: Message | None = None) -> Features:
    """`replied` is the message this one answers, where it is known: it tells an answer from talk."""
    mentions = find_mentions(message)
    plain = without_placeholders(message.content)
    subject = without_mentions(plain, mentions)
    return Features(
        message_type=classify(
            subject,
            is_to_everyone=EVERYONE in mentions,
            replied_text=_subject(replied) if replied else None,
            has_file=bool(message.attachments),
        ),
        language=guess_language(subject),
        reply=find_reply(message, mentions, replied),
        mentions=mentions,
        keywords=keywords(subject),
        terms=tuple(terms(plain)),
    )


def _subject(message: Message) -> str:
    plain = without_placeholders(message.content)
    return without_mentions(plain, find_mentions(message))
