"""Why a statement waits as a candidate instead of being a memory."""

from enum import StrEnum


class HeldBack(StrEnum):
    """Each reads as a reason: whoever confirms or refuses it by hand is told this."""

    ONE_VOICE = "said by one person only"
    OF_ANOTHER = "said of somebody else by one person"
    NEW_VOICES = "said by accounts that are new or say nothing else"
    FOR_A_HAND = "an order to the bot or a secret"
    NOT_SAID = "its sources do not say it"
