"""Everything that knows a language: Chinese and English. Pure text in, plain values out.

This is the only door: nothing outside imports the modules inside (import-linter checks it).
"""

from shared.language.gate_words import (
    named_days,
    named_weekdays,
    placeholders,
    quotations,
    relative_words,
    tells_habit,
    without_quotes,
)
from shared.language.message_types import MessageType, message_type
from shared.language.names import named_in
from shared.language.questions import (
    asks_amount,
    asks_anything,
    has_amount,
    is_question,
    names_time,
)
from shared.language.small_talk import is_small_talk
from shared.language.statements import is_about_the_bot, kind_of_statement, why_unclear
from shared.language.times import times_in
from shared.language.tokens import CUT, estimate_tokens, first_that_fit, shortened
from shared.language.words import (
    MAX_TERMS,
    MAX_TEXT_CHARACTERS,
    Language,
    character_pairs,
    count_words,
    first_clause,
    guess_language,
    is_stop_word,
    keywords,
    matching_units,
    sentences_of,
    terms,
    without_group_words,
)

__all__ = [
    "CUT",
    "MAX_TERMS",
    "MAX_TEXT_CHARACTERS",
    "Language",
    "MessageType",
    "asks_amount",
    "asks_anything",
    "character_pairs",
    "count_words",
    "estimate_tokens",
    "first_clause",
    "first_that_fit",
    "guess_language",
    "has_amount",
    "is_about_the_bot",
    "is_question",
    "is_small_talk",
    "is_stop_word",
    "keywords",
    "kind_of_statement",
    "matching_units",
    "message_type",
    "named_days",
    "named_in",
    "named_weekdays",
    "names_time",
    "placeholders",
    "quotations",
    "relative_words",
    "sentences_of",
    "shortened",
    "tells_habit",
    "terms",
    "times_in",
    "why_unclear",
    "without_group_words",
    "without_quotes",
]
