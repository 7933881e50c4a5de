"""Whom something new is about: each sentence goes to the profile of the first member it names, to
the group's if it names nobody. Pure."""

import re
from collections.abc import Mapping

from shared.domain.knowledge.profile import EntityType
from shared.language import sentences_of

Subject = tuple[EntityType, str]


def told_of(
    new_info: str, members: Mapping[str, str], *, group_id: str, sender_id: str, is_private: bool
) -> dict[Subject, list[str]]:
    """`members` are names by id, without the bot's. Two members of one name cannot be told apart:
    of them only the sender can be meant. In a private chat what names nobody is of the sender."""
    by_name: dict[str, str] = {}
    for user_id, name in members.items():
        if name and (name not in by_name or user_id == sender_id):
            by_name[name] = user_id
    twins = {
        name
        for name, user_id in by_name.items()
        if user_id != sender_id and list(members.values()).count(name) > 1
    }
    told: dict[Subject, list[str]] = {}
    for sentence in sentences_of(new_info):
        named = [
            (place, -len(name), by_name[name])
            for name in by_name
            if name not in twins and (place := _place(name, sentence)) >= 0
        ]
        subject: Subject = ("group", group_id)
        if named:
            subject = ("user", min(named)[2])
        elif is_private:
            subject = ("user", sender_id)
        told.setdefault(subject, []).append(sentence)
    return told


def _place(name: str, sentence: str) -> int:
    """Where it stands as a name: `Al` is not in `Also`; in Chinese nothing stands between."""
    edge = r"(?<![A-Za-z0-9_])" if name[0].isascii() else ""
    end = r"(?![A-Za-z_])" if name[-1].isascii() else ""
    found = re.search(f"{edge}{re.escape(name)}{end}", sentence)
    return found.start() if found else -1
