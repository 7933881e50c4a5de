"""Everything a message tells by itself, in one pass, the same every time."""

from shared.domain.analysis import cues
from shared.domain.analysis.addressing import find_mentions, find_reply, without_mentions
from shared.domain.analysis.features import Features
from shared.domain.analysis.message_type import classify
from shared.domain.messages.message import EVERYONE, Message, without_placeholders
from shared.language.language import guess_language
from shared.language.words import keywords, terms


def analyse(message: Message, replied: Message | None = None) -> Features:
    """`replied` is what this one answers, where it is known: it tells an answer from talk."""
    mentions = find_mentions(message)
    plain = without_placeholders(message.content)
    subject = without_mentions(plain, mentions)
    said = cues.read(subject)
    return Features(
        message_type=classify(
            said,
            is_to_everyone=EVERYONE in mentions,
            replied=_read(replied) if replied else None,
            has_file=bool(message.attachments),
        ),
        language=guess_language(said.line),
        reply=find_reply(message, mentions, replied),
        mentions=mentions,
        keywords=keywords(subject),
        terms=tuple(terms(plain)),
    )


def _read(message: Message) -> cues.Said:
    plain = without_placeholders(message.content)
    return cues.read(without_mentions(plain, find_mentions(message)))
