"""Names where pronouns stood, in Chinese and English, with the verbs made to follow."""

import re
from dataclasses import dataclass, field

from shared.domain.historian.anybody import is_anybody_en, is_anybody_zh
from shared.domain.historian.english import (
    agreeing,
    capitalised,
    listed,
    possessive,
    third_person,
)
from shared.domain.historian.gender import by_kin, by_name
from shared.domain.historian.people import KIN_ZH, People
from shared.domain.historian.things import thing_en, thing_zh, things_named
from shared.domain.historian.untouchable import QUOTED, Veil

_ZH = re.compile(
    r"(?P<the>[这那该此]位?(?:用户|使用者|发言者|提问者|群友|网友)|[这那]位(?:朋友|同学|老师|"
    r"成员|同事|伙伴|小伙伴|先生|女士|群主)?"
    r"|(?<![新老多少个些名位的])用户(?!名|体验|界面|数|量|们|端|增长|手册|群|中心|反馈|画像|协议))"
    r"|(?P<own>(?:我们|咱们|俺们)(?=全?家(?!长)|公司|单位|学校|部门|领导|老板|小区|宿舍|寝室|两口子|夫妻|"
    r"[娘爷]俩|组(?![织成建合装团队])|孩子|儿子|女儿|老家|房东|村))"
    r"|(?P<we>(?:我们|咱们|俺们)(?:俩|两个?人|两位|两个(?=[，。！？\s都一就在去也要会是还]))?|[我咱俺](?:俩|两个?人)|咱)|(?P<yous>你们|您们)"
    r"|(?P<they>(?:他们|她们)(?:俩|两个?人|两位|两个|[三四五]个?人|[三四五]个)?|[他她](?:俩|两个?人))|(?P<its>它们)"
    r"|(?P<i>我|俺)|(?P<you>你|您)|(?P<he>他|她)|(?P<it>它)"
)
_EN = re.compile(
    r"(?P<the>\b(?:the|this|that) (?:user|speaker|asker|person|member)\b)"
    r"|\b(?P<i>I)(?=['’ ,.!?]|$)|\b(?P<my>my)\b|\b(?P<me>me|myself)\b"
    r"|\b(?<!a )(?<!the )(?P<mine>mine)\b"
    r"|\b(?P<your>your|yours)\b|\b(?P<you>you|yourself)\b"
    r"|\b(?P<his>his|hers)\b|\b(?P<her>her)\b|\b(?P<he>he|she)\b|\b(?P<him>him|himself|herself)\b"
    r"|\b(?P<their>their|theirs)\b|\b(?P<they>they)\b|\b(?P<them>them|themselves)\b"
    r"|\b(?P<own>our)(?= (?:whole |new |old |little |entire )?(?:family|house|home|flat|apartment|"
    r"kids?|children|son|daughter|baby|dog|cat|car|landlord|landlady|boss|manager|office|company|"
    r"wedding|honeymoon|street|neighbou?rs?|garden|kitchen|anniversary|parents|marriage)\b)"
    r"|\b(?P<our>our|ours)\b|\b(?P<we>we)\b|\b(?P<us>(?-i:[uU]s)|ourselves)\b"
    r"|\b(?P<its>its|itself)\b|\b(?P<it>(?-i:[iI]t))\b(?!\s*(?:'s|is|was|will be|has been|"
    r"seems?|takes?|took|rain|snow|looks like|turned out|turns out)\b)",
    re.IGNORECASE,
)
_HER_OBJECT = re.compile(
    r"\s*(?:$|[.,;!?)]|(?:to|about|for|with|at|in|on|and|that|if|how|why|what|when|because|as|"
    r"by|from|again|too|the|a|an|of|on|once|twice|back|up|out|off|down|over|home|some|many|any|"
    r"this|every|before|after|until|since|not|where|who|whether|several|today|yesterday|tomorrow|"
    r"his|my|your|our|their|its|two|three|four|five|six|ten|half|everything|nothing|something|one|"
    r"more|enough|so|hours|days|weeks)\b|\s[\d\ue000-\uf8ff])",
    re.IGNORECASE,
)
_WHEN_EN = re.compile(
    r"^ (?:(?:on |in |at )?\d{4}-\d\d(?:-\d\d)?(?: \d\d:\d\d)?|\d{1,2}(?::\d\d)? ?(?:am|pm)|"
    r"(?:19|20)\d\d) (?=[a-z])(?!euros|dollars|pounds|yuan|bucks|times|words)"
)
"""Her Tuesday class has become "her on 2026-08-04 class": what stands behind the day tells."""
_ON_DAY = re.compile(
    r"^ (?:on|in)(?= \d{4}-\d\d(?:-\d\d)?(?: \d\d:\d\d)?"
    r"(?:$|[,.;!?]| (?!(?:in|at|on|to|and|or|but|for|from|with|by|as|is|was|has|will)\b)[a-z]))"
)
"""Her Tuesday class is not hers on a Tuesday."""
_LETS_DO = re.compile(
    r"\b(?:help(?:ed|s|ing)?|let|lets|ma[dk]e|makes|saw|heard|watch(?:ed|es)?) $", re.IGNORECASE
)
_BARE_VERB = re.compile(
    r"\s(?:write|find|fix|move|pack|plan|book|choose|pick|carry|finish|do|make|get|go|cook|clean|"
    r"learn|study|prepare|practi[cs]e|set|fill|sort|apply|understand|see|sing|leave|stay|cry|laugh|"
    r"look|know|sleep|rest|eat|drink|drive|paint|build|install|read|translate|solve|decide)\b"
)
"""Helped her write: behind such a verb "her" is who does it, not whose it is."""
_OWN = {
    True: re.compile(r"[我俺咱]"),
    False: re.compile(r"\b(?:I|me|my|mine|myself|we|our|ours)\b|\bus\b", re.IGNORECASE),
}
"""Words by which the author of a text says that they are in it, by whether it is Chinese."""
_US = re.compile(r"\bUS\b")
_DONE_TO_ZH = re.compile(r"[给跟对向把被陪帮替找约骂打教问催欠和与让叫请劝求逼派送带接]$|提醒$")
_DOES_ZH = re.compile(
    r"[还没不也都已就会要能想说是才再又正把被给爱最]|喜欢|决定|觉得|打算|同意|[今昨明后前]天|\d{4}-"
)
"""Behind 他 these make him who does something."""
_NOT_DONE_TO_ZH = re.compile(
    r"(?:^|[，。；！？、：,;:\s]|所以|因为|如果|要是|虽然|但是?|可是?|不过|而且?|并且?|于是|然后|[以之]?后|时候?|"
    r"[以之]前|说|表示|觉得|认为|希望|知道|以为|发现|听说|担心|怕|记得|相信|想|当|"
    r"[年月日号天晚早午\d]|上|就|才|也|都|还|又|或|的|连|只有|除了|是|比|像|由|轮到|等|在|从|用|按|住)$"
)
"""他 behind one of these begins a part of the sentence of its own, or is compared."""
_HIS_ZH = re.compile(
    r"的|家|公司|单位|学校|办公室|宿舍|房间|自己|本人|[这那](?!么)|[爸妈爷奶姥哥姐弟妹]|老[婆公家板]|"
    + KIN_ZH
)
_AT_HIS_ZH = re.compile(r"[去到往]$")
_PLACE_ZH = re.compile(r"家|[这那][儿里边]")
_SEVERAL_EN = re.compile(
    r"(?P<before>(?:^|[.;,:!?]\s|\b(?:and|but|that|so|then|because|if|when)\s)?)"
    r"\b(?:the (?:two|three|four|five)|both|all (?:two|three|four|five)) of (?:them|these)\b",
    re.IGNORECASE,
)
_HE_OR_SHE = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
_ASKS_EN = re.compile(
    r"\b(?:do|does|did|can|could|will|would|should|shall|may|might|must|let|lets|made?|help|saw) $",
    re.IGNORECASE,
)
"""Did you know: the verb of a question is before who is asked."""
_AND_I = re.compile(
    r"(?:^|[.!?,;:]\s+|\b(?:that|when|because|if|so)\s+)[A-Z][\w'’]*(?: [a-z]+)? and $"
)
"""Priya and I: two who do it, so the verb stays."""
_AND_HIM_ZH = re.compile(r"[^，。；！？\n]{1,30}[他她](?![们人])")
"""阿蓝说我可以借她的车: who is called 她 in the same breath is not the one who says 我."""
_MORE_ZH = re.compile(r"[三四五六七八九十几][个位人口]")
_THEIRS_ZH = re.compile(
    r"[全一]?家|公司|单位|学校|部门|团队|小区|宿舍|老板|领导|老师|村|班|组(?![织成建合装])"
)
"""小顾他们公司: where 小顾 works."""
_TWO_ZH = re.compile(r"俩|两")
_WHOSE = ("my", "your", "his", "her", "their", "our")
_FIRST_PERSON = ("i", "my", "me", "mine")
_SENTENCE_START = re.compile(r"(?:^|[.!?])\s*$")


@dataclass
class _Meant:
    """Whom "he" and "she" meant so far in one text, and whom they cannot mean."""

    people: People
    is_told_by_sender: bool
    """The text says "I" for the sender: then "he" is somebody else."""
    says_he: bool = False
    """The text has a he or a she: then "they" are several."""
    by_gender: dict[str, str] = field(default_factory=dict)

    def third(self, before: str, word: str, *, is_object: bool = False, told: str = "") -> str:
        """Whoever was named last here, else whom the message was about, else the sender. He and she
        are two, and neither is who is `told` it; of whom nothing is known is called somebody."""
        people, gender = self.people, _GENDER.get(word.lower(), "")
        others = {name for key, name in self.by_gender.items() if gender and key != gender}
        own = {people.sender} if self.is_told_by_sender else set()
        if told and self._is_tellers(before, told, frozenset({*others, *own, told}), gender):
            others |= {told}
        if is_object:
            # Who chases her is not she: what one does to oneself is said by "herself".
            others = others | people.doers(before)
        if not is_object and not people.is_chinese and word.lower() in ("his", "her"):
            # Nora gave Theo her key: hers who gave it.
            others = others | {name for name in people.names if before.endswith(f" {name} ")}
        but = frozenset(others | own)
        left = [one for one in (people.spoken_of, people.sender) if one and one not in but]
        named = people.last_named(before, but, gender) or (left[0] if left else "")
        somebody, another = ("某人", "另一个人") if people.is_chinese else _SOMEBODY
        found = named or (another if somebody in others else somebody)
        found = _ARTICLE.sub("the ", found)
        if gender:
            self.by_gender[gender] = found
        return found

    def _is_tellers(self, before: str, told: str, but: frozenset[str], gender: str) -> bool:
        """王芳告诉小顾她...: of who tells, unless only who is told can be called so."""
        teller = self.people.last_named(before, but)
        likely = (by_kin(teller) or by_name(teller)) if teller else "nobody"
        fits_told = (by_kin(told) or by_name(told)) == gender
        return likely == gender or (likely == "" and not fits_told)

    def several(self, before: str, *, is_object: bool = False) -> list[str]:
        """They: those who were named, the sender left out if the sender says "they", and who does
        it to them."""
        but = {self.people.sender} if self.is_told_by_sender else set()
        if is_object:
            but |= self.people.doers(before)
        return [one for one in self.people.all_named(before) if one not in but]


_ARTICLE = re.compile(r"^(?:The|An?|an?) (?=[a-z])")
_PART_OF = re.compile(r"\b(?:all|some|most|none|one|each|any|many) of $")
_SOMEBODY = ("somebody", "somebody else")
_GENDER = {
    **dict.fromkeys(("他", "he", "him", "his", "himself"), "m"),
    **dict.fromkeys(("她", "she", "her", "hers", "herself"), "f"),
}


def without_pronouns(said: str, people: People, *, by_bot: bool) -> str:
    """In what the bot did the first person is the bot; in what it learnt, the sender."""
    veil = Veil((*people.names, people.bot, people.group))
    pattern = _ZH if people.is_chinese else _EN
    done, rest = "", veil.hide(said)
    # Who writes "Nora asked me to wake her" is not Nora.
    tells_of_sender = people.sender in people.names and people.sender in QUOTED.sub("", said)
    is_own = not by_bot and bool(_OWN[people.is_chinese].search(_US.sub("", rest)))
    is_own = is_own and not tells_of_sender
    meant = _Meant(people, is_own, bool(_HE_OR_SHE.search(rest)))
    rest = rest if people.is_chinese else _SEVERAL_EN.sub(_they_or_them, rest)

    def is_bot(kind: str) -> bool:
        return by_bot or (tells_of_sender and kind in _FIRST_PERSON)

    while match := pattern.search(rest):
        done += rest[: match.start()]
        rest = rest[match.end() :]
        before = veil.show(done)
        kind = match.lastgroup or ""
        if people.is_chinese:
            name = _chinese(kind, match[0], before, rest, meant, is_bot(kind))
        else:
            name, rest = _english(kind, match[0], before, rest, meant, is_bot(kind))
            if match[0].lower() in _WHOSE and name.endswith(("'s", "'")):
                rest = _ON_DAY.sub("", rest)
            if _SENTENCE_START.search(before):
                name = capitalised(name)
        done += name
    return _once(veil.show(done + rest), people)


def _they_or_them(found: re.Match[str]) -> str:
    """The two of them: at the head of a clause they do it, elsewhere it is done to them."""
    is_head = bool(found["before"]) or found.start() == 0
    word = "they" if is_head else "them"
    return found["before"] + (capitalised(word) if found.start() == 0 else word)


def _is_object_zh(before: str, rest: str) -> bool:
    """Whether something is done to who is called 他 here."""
    if _AT_HIS_ZH.search(before) and _PLACE_ZH.match(rest):
        return True
    if _HIS_ZH.match(rest):
        return False
    if _DONE_TO_ZH.search(before):
        return True
    return not _NOT_DONE_TO_ZH.search(before) and not _DOES_ZH.match(rest)


def _chinese(kind: str, word: str, before: str, rest: str, meant: _Meant, by_bot: bool) -> str:
    people = meant.people
    author, other = (people.bot, people.sender) if by_bot else (people.sender, people.bot)
    members = f"{people.group}成员" if people.group else "群成员"
    match kind:
        case "i":
            return ("" if _AND_HIM_ZH.match(rest) else people.speaker_in(before)) or author
        case "own" if not by_bot:
            return author
        case "you":
            return word if not by_bot and is_anybody_zh(before, rest) else other
        case "he":
            told = people.told_in(before)
            is_object = not people.ends_addressed(before) and _is_object_zh(before, rest)
            return meant.third(before, word, is_object=is_object, told=told)
        case "the":
            return people.sender
        case "we" | "own":
            are_two = bool(_TWO_ZH.search(word))
            is_more = _MORE_ZH.match(rest)
            pair = [] if is_more else people.joined_with(author, before, are_two=are_two)
            if by_bot or not (pair or are_two):
                return f"{people.bot}和{people.sender}" if by_bot else members
            *first, last = pair or [author, "某人"]
            return "、".join(first) + "和" + last
        case "yous":
            return members
        case "they" if people.ends_named(before):
            return "" if _THEIRS_ZH.match(rest) else "等人"
        case "they":
            named = meant.several(before, is_object=_is_object_zh(before, rest))
            named = named[-2:] if _TWO_ZH.search(word) else named
            if len(named) > 1:
                return "和".join(named)
            is_unknown = bool(_TWO_ZH.search(word))
            is_unknown |= _is_object_zh(before, rest) and bool(people.all_named(before))
            return "某些人" if is_unknown else members
        case _:
            return thing_zh(before)


def _english(
    kind: str, word: str, before: str, rest: str, meant: _Meant, by_bot: bool
) -> tuple[str, str]:
    people = meant.people
    author, other = (people.bot, people.sender) if by_bot else (people.sender, people.bot)
    group = f"the members of {people.group}" if people.group else "the group's members"
    match kind:
        case "i":
            return author, _plural(rest) if _AND_I.search(before) else _and_has(agreeing(rest))
        case "my" | "mine":
            return possessive(author), rest
        case "me":
            return author, rest
        case "you" | "your" if not by_bot and is_anybody_en(before, rest, people.known):
            return word, rest
        case "you":
            return other, rest if _ASKS_EN.search(before) else agreeing(rest)
        case "your":
            return possessive(other), rest
        case "the":
            return people.sender, rest
        case "he":
            told = people.told_in(before)
            who = meant.third(before, word, told=told)
            # "told Sam Sam snores" would be read as a name that stands twice.
            who = f"that {who}" if told and who == told else who
            return who, agreeing(rest) if rest[:1] in "'’" else rest
        case "him":
            return meant.third(before, word, is_object=not word.lower().endswith("self")), rest
        case "his":
            return possessive(meant.third(before, word)), rest
        case "her":
            does = _LETS_DO.search(before) and _BARE_VERB.match(rest)
            is_object = bool(does or _HER_OBJECT.match(_WHEN_EN.sub(" ", rest)))
            third = meant.third(before, word, is_object=is_object)
            return (third if is_object else possessive(third)), rest
        case "own" if not by_bot and not people.joined_with(author, before):
            return possessive(author), rest
        case "we" | "us" | "our" | "own":
            pair = [] if by_bot else people.joined_with(author, before)
            both = f"{people.bot} and {people.sender}" if by_bot else listed(pair) or group
            if kind in ("our", "own"):
                whose = both if by_bot or pair else people.group or "the group"
                return possessive(whose), rest
            return both, _plural(rest) if kind == "we" else rest
        case "it" | "its":
            thing = thing_en(before)
            if not thing:
                return word, rest
            return (possessive(thing) if word.lower() == "its" else thing), rest
        case _:
            return _they(kind, before, rest, meant)


def _they(kind: str, before: str, rest: str, meant: _Meant) -> tuple[str, str]:
    """Those who were named; a single one, or the sender, as who does not say he or she."""
    is_object = kind == "them"
    named = meant.several(before, is_object=is_object)
    things = things_named(before)
    if len(named) > 1:
        several, is_plural = listed(named), True
    else:
        one = meant.third(before, "", is_object=is_object)
        is_plural = one in _SOMEBODY or meant.says_he or (is_object and bool(things))
        is_plural = is_plural or bool(_ALL.match(rest))
        if is_plural and not things and _PART_OF.search(before):
            return kind, rest
        several = (f"the {things[-1]}" if things else "others") if is_plural else one
    if kind == "their":
        return (f"{several}'" if is_plural and len(named) < 2 else possessive(several)), rest
    if kind == "they" and not is_plural:
        return several, agreeing(rest)
    return several, _plural(rest) if kind == "they" else rest


_AND_HAVE = re.compile(
    r"^(?P<before>(?:(?!\b(?:we|they|you|who|which|i|he|she|it)\b)[^.!?;,\ue000-\uf8ff]){1,120}?"
    r"\b(?:and|but) )"
    r"(?P<verb>have|haven't|am|do|don't)\b"
)


def _and_has(rest: str) -> str:
    """Nora got up and has been tired: a second verb of the same subject follows too."""
    return _AND_HAVE.sub(lambda found: found["before"] + third_person(found["verb"]), rest)


def _plural(rest: str) -> str:
    """After a plural subject only the short forms must go."""
    for short, long in (("'re", " are"), ("'ve", " have"), ("'ll", " will"), ("'d", " would")):
        if rest.replace("’", "'").startswith(short):
            return long + rest[len(short) :]
    return rest


_ALL = re.compile(r" (?:both|all)\b")


def _once(said: str, people: People) -> str:
    """A name that stands twice in a row stands once; so does its possessive."""
    for name in {people.sender, people.bot, *people.names}:
        said = re.sub(rf"({re.escape(name)})(?:\s?\1)+", r"\1", said)
    return said
