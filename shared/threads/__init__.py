"""Who follows whom: which earlier line each line of a group's talk goes on with, if any.

This is the only door: nothing outside imports the modules inside (import-linter checks it). It
loads numpy, so import it where it is used.
"""

from shared.threads.lines import BOT, Said
from shared.threads.second_look import Dissolved, is_due, look_back
from shared.threads.table import Tables
from shared.threads.talk import Candidate, Following, Talk, follow

__all__ = [
    "BOT",
    "Candidate",
    "Dissolved",
    "Following",
    "Said",
    "Tables",
    "Talk",
    "follow",
    "is_due",
    "look_back",
]
