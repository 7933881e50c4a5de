"""Just enough English grammar to put a name where a pronoun stood: verbs that must agree."""

import re

_PAST_WORDS = """
        ate became began bought broke brought built came caught chose did drank drew drove fell
        felt fought found flew forgot gave got grew had heard held hid hurt kept knew led left
        lent lost made meant met paid ran rode rose said sat saw sent shot slept sold spent spoke
        stole stood swam took taught thought threw told understood was went were woke won wore
        wrote forgave blew bit fed fled froze hung lit rang sang sank shook slid stuck struck swore
        swept tore withdrew wept overslept sought bet put cut hit quit cost shut split upset
        """
_PAST = frozenset(_PAST_WORDS.split())
_UNCHANGED_WORDS = """
        can cannot can't could couldn't may might must mustn't ought shall should shouldn't will
        won't would wouldn't used and or who in on at of from with to for as both all is isn't
        has hasn't does doesn't wasn't weren't hadn't didn't if that because when while but
        """
_UNCHANGED = frozenset(_UNCHANGED_WORDS.split())
_IRREGULAR = {
    "am": "is", "are": "is", "aren't": "isn't", "were": "was", "weren't": "wasn't", "have": "has",
    "haven't": "hasn't", "do": "does", "don't": "doesn't", "go": "goes", "be": "is",
}  # fmt: skip
_BASE_WORDS = """
        need feed speed succeed proceed exceed bleed breed shed embed bring sing ring swing cling
        fling sting string rely fly apply reply supply multiply imply comply rally bully
        """
_BASES = frozenset(_BASE_WORDS.split())
"""Verbs that only look like a past form, a participle or an adverb."""
_DONE_WORDS = """
        been got gone had done become come seen taken given known lost found made met said told
        left bought brought built eaten written read sent paid run begun broken chosen drunk driven
        fallen forgotten grown heard held kept sold spent spoken stood taught thought won worn
        """
_DONE = frozenset(_DONE_WORDS.split())
"""What follows "has": no thing of somebody's in "Nora's been away"."""
_HAS_DONE = re.compile(
    r"(?:\s{1,3}(?:never|ever|just|already|always|also|only|not)){0,3}\s{1,3}(?P<done>[a-z]{2,20})\b"
    r"(?P<after>[^.!?;,]{0,60})"
)
_HAD_DONE = re.compile(
    r"\s{1,3}(?:never |already |just |only |not |always )?(?P<done>[a-z]{2,20})\b"
)
_SAME_WORDS = "come become run read"
"""Of "he'd run" nobody can tell whether he had or would; plans are told more often."""
_SO_LONG = re.compile(r"\b(?:for|since|twice|once|times|before|already)\b")
_ADVERB_WORDS = (
    "also always never often usually just really still already now sometimes rarely only not "
    "probably definitely actually generally mostly finally recently currently even"
)
_ADVERBS = frozenset(_ADVERB_WORDS.split())
_CONTRACTED = {
    "'m": " is",
    "'re": " is",
    "'ve": " has",
    "'ll": " will",
    "'d": " would",
    "'s": " is",
}
_WORD = re.compile(r"(\s{1,3})([A-Za-z]{1,40}(?:['’][a-z]{1,3})?)")


def third_person(verb: str) -> str:
    """likes, goes, studies; a past or modal form stays."""
    low = verb.lower().replace("’", "'")
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    stays = low in _UNCHANGED or low in _PAST or low.endswith(("ed", "ing", "ly"))
    if stays and low not in _BASES:
        return verb
    if re.search(r"[^aeiou]y$", low):
        return verb[:-1] + "ies"
    if low.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb + "s"


def is_done(verb: str) -> bool:
    """Whether "Nora's" before this word is short for "Nora has"."""
    return verb.lower() in _DONE


def is_past(verb: str) -> bool:
    return verb.lower() in _PAST or verb.lower().endswith("ed")


def agreeing(rest: str) -> str:
    """What follows a pronoun, made to follow a name: " like tea" becomes " likes tea".

    Verbs joined by "and" right after the first follow too.
    """
    for short, long in _CONTRACTED.items():
        if (
            rest.lower().replace("’", "'").startswith(short)
            and not rest[len(short) :][:1].isalpha()
        ):
            if short == "'s" and _is_has(rest[len(short) :]):
                long = " has"
            if short == "'d" and _is_had(rest[len(short) :]):
                long = " had"
            return long + rest[len(short) :]
    at = 0
    while match := _WORD.match(rest, at):
        if match[2].lower() in _ADVERBS:
            at = match.end()
            continue
        verb = third_person(match[2])
        tail = rest[match.end() :]
        joined = _AND_VERB.match(tail) if verb != match[2] else None
        if joined and joined[2].lower() not in _ADVERBS:
            tail = joined[1] + third_person(joined[2]) + tail[joined.end() :]
        return rest[: match.start(2)] + verb + tail
    return rest


_AND_VERB = re.compile(r"(\s{1,3}and\s{1,3})([a-z]{2,40})(?![\w'’])")


def _is_has(rest: str) -> bool:
    """He's been, he's got, he's played for years; else it is short for "is"."""
    found = _HAS_DONE.match(rest)
    if not found:
        return False
    if found["done"] in _DONE:
        return True
    return found["done"].endswith("ed") and bool(_SO_LONG.search(found["after"]))


def _is_had(rest: str) -> bool:
    """He'd been, he'd called, he'd better; but "he'd need", which only looks like a past form."""
    found = _HAD_DONE.match(rest)
    if not found:
        return False
    done = found["done"]
    if done in _BASES or done in _SAME_WORDS.split():
        return False
    return done in _DONE or done == "better" or done.endswith("ed")


def possessive(name: str) -> str:
    return f"{name}'s"


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]
