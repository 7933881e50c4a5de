"""Weaves dialogues as friends and colleagues talk: some hours a day, several matters at a time,
and most matters come up again hours or days later, often begun by one who spoke of it before.

Lines are short and without full stops, one person sends several in a row, others drop in.
"""

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bench.fit.dialogues import Dialogue
from bench.fit.weaving import NAMES, REACTIONS, Said, rows_of

PARTS = ((1, 0.25), (2, 0.3), (3, 0.28), (4, 0.17))
"""How often a matter comes up, and how likely that is."""
SAME_DAY, NEXT_DAY, TWO_DAYS = 0.25, 0.45, 0.2
"""When it comes up again; else some days later."""
AT_A_TIME = ((1, 0.15), (2, 0.35), (3, 0.35), (4, 0.15))
"""Matters of one session, and how likely that is."""
SPREAD_S = (20.0, 60.0, 150.0, 300.0)
"""Within which the matters of a session begin; one of these for each chat."""
REACTS, SPLITS, GOES_ON, DROPS_IN, REPLIES, ADDRESSES = 0.09, 0.12, 0.2, 0.25, 0.06, 0.04
"""Shares: of lines reacted to; of long ones sent as two; of a speaker's next lines that stay the
same person's; said by somebody new to the matter; that are native replies; that address."""
LONGEST = 24
"""Lines of a matter at most."""
FIRST_AGAIN = 3
"""Who takes a matter up again may be said to follow any of so many last lines of it."""
_BREAK = re.compile(r"(?<=[，。！？；,.!?;])\s*")
_STOPS = "。.，, "


def woven_in_sessions(
    dialogues: Sequence[Dialogue], name: str, lines: int, seed: int
) -> list[dict[str, Any]]:
    """Rows in the form of the labelled files, of dialogues in one language."""
    dice = random.Random(seed)
    language = dialogues[0].language
    members = dice.sample(NAMES[language], dice.randint(5, 9))
    waiting = list(dialogues)
    dice.shuffle(waiting)
    sessions = _sessions(dice)
    spread = dice.choice(SPREAD_S)
    room = {place: _drawn(dice, AT_A_TIME) for place in range(len(sessions))}
    said: list[Said] = []
    topic = 0
    for place in range(len(sessions)):
        while room[place] > 0 and waiting and len(said) < lines:
            room[place] -= 1
            matter = _matter(dice, waiting.pop())
            where = _places(dice, sessions, room, place, _drawn(dice, PARTS), len(matter))
            _say(dice, matter, [sessions[one] for one in where], members, topic, said, spread)
            topic += 1
    return rows_of(said, name)


def _drawn(dice: random.Random, chances: Sequence[tuple[int, float]]) -> int:
    return dice.choices([one for one, _ in chances], [share for _, share in chances])[0]


def _sessions(dice: random.Random) -> list[float]:
    """When people talk: seconds since the first morning, four to seven times a day."""
    found = []
    for day in range(8):
        hours = dice.sample(range(31), dice.randint(4, 7))
        found += [day * 86400 + (hour / 2 + dice.uniform(0, 0.1)) * 3600 for hour in sorted(hours)]
    return found


def _matter(dice: random.Random, dialogue: Dialogue) -> list[tuple[int, str]]:
    """The lines of a dialogue as they are typed, some of them."""
    most = min(LONGEST, max(2, int(dice.lognormvariate(2.25, 0.55))))
    found: list[tuple[int, str]] = []
    people = 1 + max(who for who, _ in dialogue.turns)
    for who, text in dialogue.turns:
        if found and found[-1][0] == who and dice.random() > GOES_ON:
            who = (who + 1) % people
        parts = [one.strip(_STOPS) for one in _BREAK.split(text)]
        parts = [one for one in parts if one]
        if len(parts) > 1 and dice.random() < SPLITS:
            middle = dice.randint(1, len(parts) - 1)
            found += [(who, " ".join(parts[:middle])), (who, " ".join(parts[middle:]))]
        elif parts:
            found.append((who, text.rstrip(_STOPS) if dice.random() < 0.5 else " ".join(parts)))
        if len(found) >= most:
            break
    return found[:most]


def _places(
    dice: random.Random,
    sessions: Sequence[float],
    room: dict[int, int],
    first: int,
    parts: int,
    lines: int,
) -> list[int]:
    """The sessions in which a matter comes up, from the first on."""
    found = [first]
    for _ in range(min(parts, max(1, lines // 2)) - 1):
        luck, day = dice.random(), sessions[found[-1]] // 86400
        days = (
            0 if luck < SAME_DAY
            else 1 if luck < SAME_DAY + NEXT_DAY
            else 2 if luck < SAME_DAY + NEXT_DAY + TWO_DAYS
            else dice.randint(3, 5)
        )  # fmt: skip
        later = [
            place
            for place in range(found[-1] + 1, len(sessions))
            if sessions[place] // 86400 == day + days
        ]
        if not later:
            continue
        chosen = dice.choice(later)
        room[chosen] -= 1
        found.append(chosen)
    return found


def _say(
    dice: random.Random,
    matter: Sequence[tuple[int, str]],
    begins: Sequence[float],
    members: Sequence[str],
    topic: int,
    said: list[Said],
    spread: float,
) -> None:
    cuts = sorted(dice.sample(range(1, len(matter)), min(len(begins), len(matter)) - 1))
    own: list[int] = []
    people: list[str] = []
    for part, start in zip(_parted(matter, cuts), begins, strict=False):
        clock = start + dice.uniform(0, spread)
        if own:
            clock = max(clock, said[own[-1]].at + 60.0)
        pace = dice.choice((20, 35, 50, 70))
        who_is: dict[int, str] = {}
        for place, (who, text) in enumerate(part):
            if who not in who_is:
                free = [person for person in members if person not in who_is.values()] or list(
                    members
                )
                known = [person for person in people if person in free]
                comes_back = known and dice.random() > DROPS_IN
                who_is[who] = dice.choice(known if comes_back else free)
            user = who_is[who]
            before = said[own[-1]].user if own else None
            is_on = place > 0 and part[place - 1][0] == who
            if not is_on and dice.random() < 0.15 and len(people) > 2:
                user = dice.choice([person for person in people if person != before] or people)
            if user not in people:
                people.append(user)
            clock += (6 if is_on else pace) * dice.lognormvariate(0, 0.7) if place else 0.0
            follows = own[-1:] if place else own[: -FIRST_AGAIN - 1 : -1]
            if before and before != user and dice.random() < ADDRESSES:
                text = f"@{before} {text}"
            native = bool(follows) and dice.random() < REPLIES
            own.append(len(said))
            said.append(Said(clock, user, text, topic, list(follows), native))
            if dice.random() < REACTS:
                other = dice.choice([person for person in members if person != user])
                reaction = dice.choice(REACTIONS["en" if members[0] in NAMES["en"] else "zh"])
                at = clock + dice.uniform(4, 30)
                said.append(Said(at, other, reaction, topic, [own[-1]]))


def _parted(matter: Sequence[tuple[int, str]], cuts: Sequence[int]) -> Iterator[Any]:
    for start, end in zip([0, *cuts], [*cuts, len(matter)], strict=True):
        yield matter[start:end]
