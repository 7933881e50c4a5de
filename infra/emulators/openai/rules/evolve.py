"""`memory_evolve`: fuses what a group said into what is remembered of it, by plain rules.

What recurs, or is said of everybody, becomes a memory; what changes is updated; what ends, or has
not been heard of for three weeks, is deleted. Orders to the bot and passing talk change nothing.
"""

import re
from collections import defaultdict
from dataclasses import replace
from datetime import date, datetime, timedelta

from . import changes, speech
from .english import spelled
from .extract import extract_facts
from .facts import Trait, conflicts, trait_of
from .kinds import GROUP, HABIT, LABELS, PROJECT, TRAIT
from .lasting import Chances, chances
from .lasting_context import TalkSigns
from .lasting_statements import (
    heard_statement,
    said_of_another,
    statement_of_another,
)
from .prompt_input import Given, moment, objects
from .schedule import moved, new_slot, slot_of
from .several import of_several, people_of
from .similarity import Likeness
from .statements import Statement, core_of, statement_in
from .threads import (
    Message,
    Thread,
    messages_of,
    overlap,
    same_matter,
    thread_of,
)
from .words import (
    CHINESE,
    is_han,
    keywords,
    language_of,
    marks,
    sentences,
    shared,
)

STALE_AFTER = timedelta(days=21)
ABOUT_WITH_WORDS = 0.5
ABOUT_WITHOUT_WORDS = 0.57
"""Least likeness with which talk is about a statement: with words in common, and without any."""
HEARD_WITHIN = 6
"""So many messages after a proposal may agree to it."""

LAID_DOWN_FROM = 0.3
"""So likely something for all, that those who agree after it mean it and nothing before."""


def evolve_memories(given: Given, likeness: Likeness) -> Given:
    run = _Run(given, likeness)
    for message in run.messages:
        run.hear(message)
    lines = run.lines()
    read = extract_facts({**given, "messages": given.get("new_discussions")}, likeness)
    return {
        "lines": [*lines, *facts_as_lines(read["facts"], lines, run.messages)],
        "entities": read["entities"],
        "relations": read["relations"],
    }


def facts_as_lines(facts: list[Given], lines: list[Given], messages: list[Message]) -> list[Given]:
    """What members said of themselves and no line above rests on."""
    told = {source for line in lines for source in line["sources"]}
    own = {message.id: message.user_id for message in messages}
    return [
        {
            "action": "create",
            "statement": fact["content"],
            "kind": fact["type"],
            "subject": fact["subject"],
            "tags": fact["tags"],
            "confidence": fact["confidence"],
            "sources": fact["sources"],
        }
        for fact in facts
        if not told & set(fact["sources"])
        and all(own.get(source) == fact["subject"] for source in fact["sources"])
    ]


class _Run:
    def __init__(self, given: Given, likeness: Likeness) -> None:
        self.messages = messages_of(given)
        self._likeness = likeness
        self._threads = [thread_of(memory) for memory in objects(given, "existing_memories")]
        self._today = moment(given.get("today")) or max(
            (one.time for one in self.messages if one.time), default=None
        )
        texts = [one.content for one in self.messages] or [t.statement for t in self._threads]
        self._is_chinese = language_of(texts) == CHINESE
        likeness.learn([thread.core for thread in self._threads])
        self._people = people_of(self.messages)
        self._signs = TalkSigns(self.messages)
        said = [spelled(one.content) for one in self.messages]
        likeness.learn([piece for one in said for piece in (one, *sentences(one))])

    # ---- reading

    def hear(self, message: Message) -> None:
        if speech.orders(message.content):
            return
        told = self._told(message)
        heard = [self._hear_sentence(one, message, told) for one in self._pieces(message)]
        if told is not None and not any(heard):
            self._state(told, message)

    def _pieces(self, message: Message) -> list[str]:
        """Its sentences; "I'm a baker, any tips?" says one thing and asks another."""
        found: list[str] = []
        for sentence in sentences(spelled(message.content)):
            *before, asked = re.split(r"[，,]\s*", sentence)
            if before and speech.asks(asked):
                comma = "，" if is_han(sentence) else ", "
                found += [comma.join(before), asked]
            else:
                found.append(sentence)
        return found

    def _told(self, message: Message) -> Statement | None:
        """What the tables hear in a message: one statement, from its most telling piece on."""
        pieces = [one for one in self._pieces(message) if not speech.asks(one)]
        heard = [self._heard(one, message) for one in pieces]
        if not heard:
            return None
        best = max(range(len(pieces)), key=lambda at: max(heard[at].of_self, heard[at].of_rule))
        found = heard[best]
        if speech.is_of_others(pieces[best]) or not self._is_lasting(pieces[best], message):
            found = replace(found, of_rule=0.0)
        whole = self._chances(spelled(message.content), message)
        found = replace(found, of_self=max(found.of_self, whole.of_self))
        return heard_statement(pieces[best:], message.user_name, found)

    def _hear_sentence(self, sentence: str, message: Message, told: Statement | None) -> bool:
        """Whether it changed, ended or stated something itself."""
        core = core_of(sentence, message.user_name)
        if (of_another := self._of_another(sentence, message)) is not None:
            self._state(of_another, message)
            return True
        is_asked = speech.asks(sentence)
        is_other = speech.is_of_others(sentence) or not self._is_lasting(sentence, message)
        may_change = not is_asked and (told is not None or not is_other)
        if may_change and changes.changes(sentence) and self._change(sentence, core, message):
            return True
        if is_asked or is_other:
            self._mention(core, message)
        elif changes.ends(sentence) and self._can_end(sentence):
            return self._end(core, message)
        elif told is None and (said := statement_in(sentence, message.user_name)):
            self._state(said, message)
        elif told is None:
            self._mention(core, message)
        return False

    def _heard(self, piece: str, message: Message) -> Chances:
        """What a piece of a longer message tells is judged by the piece and by the whole."""
        alone = self._chances(piece, message)
        whole = self._chances(spelled(message.content), message)
        return Chances((alone.of_self + whole.of_self) / 2, (alone.of_rule + whole.of_rule) / 2)

    def _chances(self, text: str, message: Message) -> Chances:
        place = self.messages.index(message)
        return chances(self._signs.of(place, text), self._likeness.vector(text))

    def _of_another(self, sentence: str, message: Message) -> Statement | None:
        others = {name: id_ for name, id_ in self._people.items() if id_ != message.user_id}
        found = said_of_another(sentence, others)
        if found is None:
            return None
        heard = self._chances(found.own_words, message)
        return statement_of_another(sentence, found, heard)

    def _can_end(self, sentence: str) -> bool:
        """One person may stop; the group goes on."""
        return not re.search(r"我(?!们)|\bI\b", sentence)

    def _is_lasting(self, sentence: str, message: Message) -> bool:
        if speech.is_passing(sentence) or speech.hedges(sentence):
            return False
        return not speech.proposes(sentence) or self._is_agreed(message)

    def _is_agreed(self, proposal: Message) -> bool:
        return any(
            speech.bears_out(one.content) and one.user_id != proposal.user_id
            for one in self._after(proposal)
        )

    def _after(self, message: Message) -> list[Message]:
        place = self.messages.index(message)
        return self.messages[place + 1 : place + 1 + HEARD_WITHIN]

    # ---- what a sentence does to the threads

    def _end(self, core: str, message: Message) -> bool:
        thread = self._about(core) or self._talked_of(core, message)
        if thread is not None:
            thread.end(message)
        return thread is not None

    def _change(self, sentence: str, core: str, message: Message) -> bool:
        pair = changes.exchange(sentence)
        thread = self._about(core) or self._holder_of(pair) or self._talked_of(core, message)
        if thread is None:
            return False
        if pair is not None and pair[0] in thread.statement:
            thread.restate(thread.statement.replace(*pair), message)
            return True
        slot = new_slot(sentence)
        if slot is not None and slot_of(thread.statement) is not None:
            thread.restate(moved(thread.statement, slot), message)
            return True
        if later := changes.new_month(sentence, thread.statement):
            thread.restate(later, message)
            return True
        return False

    def _holder_of(self, pair: tuple[str, str] | None) -> Thread | None:
        """ "Moved from Friday to Thursday" may name nothing but the old time."""
        if pair is None:
            return None
        holders = [thread for thread in self._threads if pair[0] in thread.statement]
        return holders[0] if len(holders) == 1 else None

    def _talked_of(self, core: str, message: Message) -> Thread | None:
        """ "Then let's do Thursdays instead" names nothing: it is about what was just talked of."""
        if marks(core):
            return None
        recent = range(message.place - HEARD_WITHIN, message.place + 1)
        touched = [
            (source.place, thread)
            for thread in self._threads
            for source in thread.sources
            if source.place in recent
        ]
        return max(touched, key=lambda one: one[0])[1] if touched else None

    def _outdated_by(self, said: Statement, message: Message) -> Thread | None:
        """One lives in one place and has one diet: the newer word makes the older one untrue."""
        fresh = _trait(said.text, message.user_name) if said.is_own else None
        if fresh is None:
            return None
        for thread in self._threads:
            known = _trait(thread.statement, message.user_name)
            if thread.subject == message.user_id and known and conflicts(fresh, known):
                return thread
        return None

    def _state(self, said: Statement, message: Message) -> None:
        if (outdated := self._outdated_by(said, message)) is not None:
            outdated.own.append(said)
            outdated.restate(said.text, message)
            return
        self._likeness.learn([said.core])
        best, thread = max(
            (
                (same_matter(said, thread, message, self._likeness), thread)
                for thread in self._threads
            ),
            key=lambda pair: pair[0],
            default=(0.0, None),
        )
        if thread is None or best == 0.0:
            subject = said.about or (message.user_id if said.is_plain and said.is_own else GROUP)
            thread = Thread(said.text, said.kind, subject, said.core, is_own=said.is_own)
            self._threads.append(thread)
        thread.hear(said, message)
        thread.is_plain = thread.is_plain or said.is_plain
        thread.is_of_another = thread.is_of_another or bool(said.about)
        if said.is_plural:
            self._hear_agreement(thread, message)
        if said.is_own:
            thread.me_too |= {
                one.user_id
                for one in self._after(message)
                if speech.says_me_too(one.content) and one.user_id != message.user_id
            }

    def _hear_agreement(self, thread: Thread, message: Message) -> None:
        """Who agrees at once to what is said of all says it too."""
        for one in self._after(message):
            if one.user_id != message.user_id and speech.bears_out(one.content):
                thread.support(one)
            elif self._lays_down(one):
                break  # Who agrees from here on agrees to that.
        place = self.messages.index(message)
        before = self.messages[place - 1] if place else message
        is_answer = speech.agrees(message.content) and speech.asks(before.content)
        if is_answer and before.user_id != message.user_id:
            # "It is Fridays, isn't it?", "yes, every Friday": both say so.
            thread.support(before)

    def _lays_down(self, message: Message) -> bool:
        return self._chances(spelled(message.content), message).of_rule >= LAID_DOWN_FROM

    def _mention(self, core: str, message: Message) -> None:
        """A passing word about something remembered keeps it alive."""
        thread = self._about(core)
        if thread is not None and thread.memory_id and thread.ended_by is None:
            thread.support(message)

    def _about(self, core: str) -> Thread | None:
        """The thread a piece of talk is about, if any."""
        if not core:
            return None
        scored: list[tuple[float, int, Thread]] = []
        for thread in self._threads:
            cosine = self._likeness.between(core, thread.core)
            together = overlap(core, thread.core)
            score = cosine + 0.25 * together
            if score >= (ABOUT_WITH_WORDS if together else ABOUT_WITHOUT_WORDS):
                scored.append((score, -len(scored), thread))
        return max(scored, key=lambda one: one[:2])[2] if scored else None

    # ---- the answer

    def lines(self) -> list[Given]:
        lines = [self._memory_line(thread) for thread in self._threads if thread.memory_id]
        # What nothing touches is left out, as the prompt says: every word of an answer costs.
        lines = [one for one in lines if one["action"] != "keep" or one["sources"]]
        fresh = [t for t in self._threads if not t.memory_id and t.ended_by is None]
        lines += [self._create_line(thread) for thread in fresh if _recurs(thread)]
        return lines + self._interests()

    def _memory_line(self, thread: Thread) -> Given:
        sources = [message.id for message in thread.sources]
        line: Given = {"action": "keep", "old_id": thread.memory_id, "sources": sources}
        if thread.ended_by is not None:
            reason = self._say("讨论中说明已经停止", "the group said that it has ended")
            return {**line, "action": "delete", "change_reason": reason, "deny": sources[-1:]}
        if thread.changed:
            return {
                **line,
                "deny": sources[-1:],
                "action": "update",
                "statement": thread.statement,
                "change_reason": self._say(
                    "讨论中有了新的说法", "the discussion says something newer"
                ),
                **self._labels(thread),
            }
        if thread.restated and not thread.is_candidate:
            reason = self._say("又有人这样说", "said again")
            return {
                **line,
                "action": "update",
                "statement": thread.statement,
                "change_reason": reason,
                **self._labels(thread),
            }
        if not sources and self._is_stale(thread):
            days = STALE_AFTER.days
            reason = self._say(
                f"超过{days}天没有再被提到", f"not heard of for more than {days} days"
            )
            return {**line, "action": "delete", "change_reason": reason}
        return line

    def _is_stale(self, thread: Thread) -> bool:
        if self._today is None or thread.supported_at is None:
            return False
        # What people are and what they forbid stays so without a word; a habit shows or is gone.
        if thread.kind not in (HABIT, PROJECT):
            return False
        return self._today.date() - thread.supported_at.date() >= STALE_AFTER

    def _create_line(self, thread: Thread) -> Given:
        subject = thread.subject if thread.is_of_another else GROUP
        statement = thread.statement
        if thread.is_own and not thread.is_firm:
            if len(thread.users) > 1:
                statement = of_several(thread)
            else:
                subject = thread.sources[0].user_id
        people, days = len(thread.users), len(thread.days)
        said = len(thread.sources)
        reason = self._say(
            f"{people}人在{days}天里说过{said}次",
            f"said {said} times by {people} people on {days} days",
        )
        return {
            "action": "create",
            "statement": statement,
            "change_reason": reason,
            **self._labels(thread),
            "subject": subject,
            "sources": [message.id for message in thread.sources],
        }

    def _labels(self, thread: Thread) -> Given:
        kind = thread.kind or TRAIT
        label = LABELS.get(kind, kind) if is_han(thread.statement) else kind
        words = [word for word, _ in keywords([thread.core], limit=2)]
        return {"kind": kind, "subject": thread.subject, "tags": [label, *words]}

    def _interests(self) -> list[Given]:
        """What several people come back to on several days, though nobody says that they do."""
        talk: dict[str, list[Message]] = defaultdict(list)
        wanted = [word for word, _ in keywords([one.content for one in self.messages], limit=4)]
        for word in wanted:
            talk[word] = [one for one in self.messages if word.lower() in one.content.lower()]
        known = [marks(thread.statement) for thread in self._threads]
        lines = []
        names = " ".join(one.user_name for one in self.messages).lower()
        for word, said in talk.items():
            if word.lower() in names:
                continue
            if len(said) < 6 or len({one.user_id for one in said}) < 3 or not _spans_days(said):
                continue
            if any(shared(marks(word), other) > 0 for other in known):
                continue
            statement = self._say(f"群里经常聊{word}", f"Members often talk about {word}")
            thread = Thread(statement, TRAIT, GROUP, word, sources=said)
            lines.append(self._create_line(thread))
        return lines[:2]

    def _say(self, chinese: str, english: str) -> str:
        return chinese if self._is_chinese else english


def _trait(statement: str, name: str) -> Trait | None:
    """What a statement that begins with a name says of that person."""
    if not name or not statement.startswith(name):
        return None
    return trait_of(statement.removeprefix(name), is_chinese=is_han(statement))


def _recurs(thread: Thread) -> bool:
    """Said of everybody, or by several, or on several days, or twice in different words."""
    if thread.is_firm or thread.is_plain or len(thread.users) > 1 or len(thread.days) > 1:
        return True
    return thread.kind != HABIT and len({message.content for message in thread.sources}) > 1


def _spans_days(said: list[Message]) -> bool:
    counts: dict[date, int] = defaultdict(int)
    for message in said:
        if message.day is not None:
            counts[message.day] += 1
    times: list[datetime] = sorted(one.time for one in said if one.time)
    lasted = times[-1] - times[0] if times else timedelta(0)
    return sum(1 for count in counts.values() if count > 1) > 1 and lasted > timedelta(hours=20)
