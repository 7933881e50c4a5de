"""Who is meant: the people of a note, and the one a pronoun stands for."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.domain.historian.english import is_past
from shared.domain.historian.gender import by_kin, by_name
from shared.domain.historian.untouchable import name_pattern

_SPEAKS_ZH = (
    r"(?:说|表示|提到|告诉|认为|觉得|问(?!题)|建议|打算|答应|承诺|回复|承认|抱怨|"
    r"补充|解释|强调|坚持)"
)
_SAYS_I_ZH = r"(?:说|表示|提到|认为|打算|承诺|承认|补充|解释|强调|坚持)"
"""Behind these "I" may be who speaks; whom one tells, asks or advises is "I" to who writes it."""
_SUBJECT = re.compile(
    r"(?:^|[，。；！？、\s]|[和跟与])((?![这那有没大他她它我你咱某每])[\u3400-\u9fff]{2,3})"
    rf"(?={_SPEAKS_ZH})"
    r"|\b([A-Z][a-z]+)(?=\s+(?:says?|said|told|thinks?|thought|asked|wants?|mentioned|replied)\b)"
)
"""Somebody who says something, at the head of a clause: a person, known or not."""
KIN_ZH = (
    r"的?(?:妈妈|爸爸|母亲|父亲|老婆|老公|妻子|丈夫|爱人|对象|男朋友|女朋友|男友|女友|儿子|女儿|孩子|弟弟|妹妹|哥哥|"
    r"姐姐|爷爷|奶奶|外公|外婆|姥姥|姥爷|表[哥弟姐妹]|同事|同学|室友|朋友|邻居|房东|老板|领导|导师|老师|"
    r"先生|太太|公公|婆婆|岳[父母]|教练|师傅|搭档|前任|家?(?:猫|狗)|妈|爸(?!妈)|弟|妹|哥|姐)(?!们)"
)
_KIN_EN = (
    r"['’]s (?:(?:older|elder|younger|little|big|best|new|old|late|ex) )?(?:mum|mom|mother|dad|"
    r"father|brother|sister|son|daughter|wife|husband|partner|boyfriend|girlfriend|fiancée?|boss|"
    r"manager|landlord|landlady|neighbou?r|colleague|friend|flatmate|roommate|teacher|advisor|"
    r"supervisor|doctor|cousin|uncle|aunt|ex|ex-husband|ex-wife|mother-in-law|father-in-law|coach|grandma|grandmother|grandpa|grandfather|gran|granny|nan|grandad|mate|housemate|twin|nephew|niece|"
    r"baby|kid|child|cat|dog)\b"
)
"""Somebody who has no name here but belongs to one: Sam's mum, 小顾的妈妈."""
_ROLE_ZH = rf"(?:房东|医生|领导|老板|导师|经理|客服|司机|中介)(?!们|娘|{_SPEAKS_ZH})"
_ROLE_EN = (
    r"(?i:the|an?)(?: new| old)? (?:landlord|landlady|doctor|boss|manager|teacher|dentist|plumber|"
    r"vet|agent|coach)\b(?! (?:says?|said|told|thinks?|thought)\b(?![^.;]{0,200}[.;]))"
)
"""Somebody known by what they are to the sender. Who says "he" of another is not meant by it."""
_NO_NAME_WORDS = """
    i he she they we you it who that this then and but so if when everyone somebody someone
    nobody the doctor landlord boss teacher 医生 领导 老板 老师 房东 客服 导师 经理 护士 司机 别人
    用户 对方 大家 群成员 有人 助手 机器人 群主 自己 今天 昨天 明天 最近
    """
_NO_NAMES = frozenset(_NO_NAME_WORDS.split())
_CLAUSE_END = re.compile(
    rf"[，。；！？、,.;:!?\n]|{_SPEAKS_ZH}|\b(?:and|but|that|because|when|if|so|who|which|while|says?|"
    r"said|thinks?|thought|told|asked|promised|wants?|hopes?|knows?|knew)\b"
)
_TELLS_WHOM = re.compile(
    r"(?:告诉|问|答应|回复|建议|提醒)了?$|\b(?:told|tells?|asked|asks?|wants?|knows?|knew) $"
)
"""Sam told her: whom the pronoun at the end is told by."""
_SENTENCE_MARKS = tuple("。；！？.;!?\n")
_OWNED = re.compile(rf"\b[A-Z][\w-]{{0,30}}(?!{_KIN_EN})['’]s ")
_TO_DO = re.compile(r" (?:not )?to (?=[a-z])")
_TELLS = ("告诉", "问", "回复", "建议")
_TELLS_EN = ("told", "asked", "promised")
_PROMISES = ("答应", "承诺")
"""Whom one promises something does not do it."""
_MADE_TO = re.compile(r"[让叫请派催劝喊逼求约]")
"""阿蓝让小顾去: who is made to do it does it."""
_AND_ZH = "(?:和|跟|与|同|、|以及|陪|约|带)"
_NO_PAIR_ZH = "(?!说|讲|提|问|借|要)"
"""我跟小顾说: whom one speaks to is not yet one of "us"."""
_AND_EN = "(?:,? and |, | & )"
_WITH_EN = r"(?<![A-Za-z])%s [^.!?;,\n]{0,80}?\bwith (%s)(?![A-Za-z'’])"
_TOLD = r"(?:(?:告诉|转告|通知|答应|回复)了?|\b(?:told|tells|promised|texted|assured|messaged) )"
_ADDRESSED = "(?:告诉|转告|通知|答应|回复|问|提醒|建议)了?"
_THE_ONE = r"\b(?:the|an?|what|everything|all)(?: [a-z]{1,20}){0,2} "
"""Sam lost the book Ida gave him: behind a thing begins what somebody else does with it."""
_ASKS_ME = re.compile(r"[让叫请约催劝喊]$")
"""小顾说让我去: whom one asks is not who speaks."""
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'll|my|me)\b|我", re.IGNORECASE)


NEAR = 2000
"""So far back "he" may reach: a note of more characters tells of several matters."""


@dataclass(frozen=True)
class People:
    """The sender, the bot, the group, and everybody whose name may come up."""

    sender: str
    bot: str
    group: str
    names: tuple[str, ...] = ()
    spoken_of: str = ""
    """Whom the sender's last message was about, if not about the sender."""
    is_chinese: bool = True

    def last_named(self, before: str, but: frozenset[str] = frozenset(), gender: str = "") -> str:
        """The person named last in this text, the bot and whom the pronoun cannot mean left out.
        Who is known to be of the pronoun's gender comes before whose gender is not known, and that
        one before who has a name of the other."""
        named = [
            name
            for name in self._named(before)
            if name not in but and (not gender or by_kin(name) in ("", gender))
        ]
        for known in ([gender], [""]) if gender else ():
            if likely := [name for name in named if (by_kin(name) or by_name(name)) in known]:
                return likely[-1]
        if named or not gender:
            return named[-1] if named else ""
        return self._owner_of_kin(before, but, gender)

    def _owner_of_kin(self, before: str, but: frozenset[str], gender: str) -> str:
        """Theo's mum says he is ill: who is not she may be the one whose mother she is."""
        kin = KIN_ZH if self.is_chinese else _KIN_EN
        owners = [re.sub(rf"{kin}$", "", name) for name in self._named(before)]
        may_be = [
            name
            for name in owners
            if name in self.names and name not in but and by_name(name) in ("", gender)
        ]
        return may_be[-1] if may_be else ""

    def doers(self, before: str) -> frozenset[str]:
        """Who does what the end of this text tells, or shares in it: those named in its clause, as
        far back as the last one that names anybody. Whose things are named does nothing."""
        told = _TELLS_WHOM.sub("", before[-300:])
        ends = list(_CLAUSE_END.finditer(told))
        place = len(ends)
        while place >= 0:
            opened = ends[place - 1][0] if place else ""
            start = ends[place - 1].end() if place else 0
            clause = told[start : ends[place].start() if place < len(ends) else len(told)]
            named = self._acting(clause, opened)
            if opened in _PROMISES or self.bot in clause:
                return frozenset()
            if named:
                # Behind 告诉 stands who is told; what goes on after it is the teller's.
                is_own = place == len(ends)
                acting = named if is_own else named[: opened not in _TELLS]
                return frozenset(acting)
            if opened in _SENTENCE_MARKS or not self._goes_on(opened, clause):
                return frozenset()
            place -= 1
        return frozenset()

    def _goes_on(self, opened: str, clause: str) -> bool:
        """Whether a clause that names nobody is of the one before: 阿蓝说可以，周五带给她."""
        if self.is_chinese:
            return True
        first = clause.split(maxsplit=1)[0] if clause.strip() else ""
        does = is_past(first) or (first.endswith("s") and first != "others")
        return opened in ("and", "but") and does

    def _acting(self, clause: str, opened: str) -> list[str]:
        """Those named in a clause, but for owners of what is named, and who makes others act. Of
        two names on end behind "told" the first is who is told: I told Theo I would."""
        if self.is_chinese:
            made = _MADE_TO.split(clause)[-1]
            clause = made if self.bot in made or self._named(made) else clause
            for name in (one for one in self.names if one in clause):
                clause = re.sub(rf"{re.escape(name)}的(?!{KIN_ZH})", "", clause)
            return self._named(clause)
        one = self._somebody(name for name in self.names if name in clause)[0]
        clause = re.split(rf"{_THE_ONE}(?={one} )", clause)[-1]
        if opened in _TELLS_EN:
            clause = re.sub(rf"^\s{one} (?={one})", " ", clause)
        named = self._named(_OWNED.sub("", clause))
        if _TO_DO.search(clause):
            # Priya needs Sam to drive her: who is to do it stands last before it.
            return self._named(_OWNED.sub("", _TO_DO.split(clause)[0]))[-1:]
        return named

    def all_named(self, before: str) -> list[str]:
        return list(dict.fromkeys(self._named(before)))

    def speaker_in(self, before: str) -> str:
        """Whose words the end of this text is in: 小林说 ... in the same sentence. Whoever was
        called by name or "he" since then is told of, and does not speak as "I". Nor does who tells
        the one that writes "I": 王芳告诉我."""
        sentence = re.split(r"[。！？!?；;\n]", before[-300:])[-1]
        found = [
            (said.start(), name)
            for name in (*self.names, *_subjects(sentence))
            for said in re.finditer(rf"{re.escape(name)}{_SAYS_I_ZH}", sentence)
            if name not in sentence[said.end() :] and not _ASKS_ME.search(sentence)
        ]
        return max(found, default=(0, ""))[1]

    def _named(self, before: str) -> list[str]:
        """Everybody named, in the order of the text; somebody's mother is not that somebody."""
        before = before[-NEAR:]
        known = {
            name
            for name in self.names
            if name in before and name != self.bot and re.search(name_pattern(name), before)
        }
        guessed = {
            name
            for name in _subjects(before)
            if name.lower() not in _NO_NAMES and not name.startswith((*known, self.bot))
        }
        names = known | guessed
        one, role = self._somebody(names)
        return [found[0] for found in re.finditer(rf"{one}|{role}", before)]

    def _somebody(self, names: Iterable[str]) -> tuple[str, str]:
        """Patterns of one of these or their kin, and of somebody known by what they are."""
        either = "|".join(map(name_pattern, sorted(names, key=len, reverse=True))) or r"(?!)"
        kin, role = (KIN_ZH, _ROLE_ZH) if self.is_chinese else (_KIN_EN, _ROLE_EN)
        return rf"(?:{either})(?:{kin})?", role

    def joined_with(self, author: str, before: str, *, are_two: bool = False) -> list[str]:
        """Those whom a text joins to its author by "and", the author among them, as it did last:
        "Nora and I ... we". Who are two may also be the author and whoever was named last."""
        before = before[-NEAR:]
        one, _ = self._somebody({name for name in (*self.names, author) if name in before})
        between, behind = (_AND_ZH, _NO_PAIR_ZH) if self.is_chinese else (_AND_EN, "")
        for run in reversed(list(re.finditer(rf"{one}(?:{between}{one}){{1,9}}{behind}", before))):
            joined = [found[0] for found in re.finditer(one, run[0])]
            if author in joined:
                return list(dict.fromkeys(joined))
        if not self.is_chinese and (
            beside := re.search(_WITH_EN % (re.escape(author), one), before)
        ):
            return [author, beside[1]]
        last = self.last_named(before, frozenset({author})) if are_two else ""
        return [author, last] if last else []

    def ends_named(self, before: str) -> bool:
        """Whether this text ends with somebody's name, and they are not told what follows."""
        end = re.search(rf"({self._somebody(self.names)[0]})$", before[-80:])
        return end is not None and not _TELLS_WHOM.search(before[: -len(end[1])])

    @property
    def known(self) -> tuple[str, ...]:
        return (*self.names, self.bot)

    def ends_addressed(self, before: str) -> bool:
        """Whether this text ends with who is told or asked something: 我问小顾. What he is to be
        told follows, and begins with a subject of its own."""
        return bool(re.search(rf"{_ADDRESSED}(?:{self._somebody(self.names)[0]})$", before[-80:]))

    def told_in(self, before: str) -> str:
        """Who is told at the end of this text, as in 王芳告诉林晓: what follows is the teller's."""
        told = re.search(rf"{_TOLD}({self._somebody(self.names)[0]}) ?$", before[-80:])
        return told[1] if told else ""


def _subjects(text: str) -> list[str]:
    found = (match[1] or match[2] for match in _SUBJECT.finditer(text))
    return [name for name in found if name.lower() not in _NO_NAMES]


def people_of(
    *,
    sender_id: str,
    roster: Mapping[str, str],
    said: Sequence[tuple[str, str]],
    bot: str,
    group: str,
    is_chinese: bool,
) -> People:
    """`roster` names members by id; `said` is who said what, in order, as the note's messages have
    it. A sender without a name anywhere is described, never called by the id."""
    unknown = "一位群成员" if is_chinese else "a member of the group"
    sender = roster.get(sender_id) or unknown
    names = tuple(
        dict.fromkeys(name for name in (sender, *roster.values()) if name and name != bot)
    )
    return People(
        sender=sender,
        bot=bot or ("助手" if is_chinese else "the assistant"),
        group=group,
        names=tuple(name for name in names if name != unknown),
        spoken_of=_spoken_of(said, sender_id, sender, names),
        is_chinese=is_chinese,
    )


def _spoken_of(
    said: Sequence[tuple[str, str]], sender_id: str, sender: str, names: tuple[str, ...]
) -> str:
    """Somebody else, if the sender's last message names one and says nothing of the sender."""
    own = [content for user_id, content in said if user_id == sender_id]
    if not own or _FIRST_PERSON.search(own[-1]):
        return ""
    others = [name for name in names if name != sender and name in own[-1]]
    return others[0] if len(others) == 1 else ""
