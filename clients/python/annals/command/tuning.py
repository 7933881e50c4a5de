"""tune: a group's own settings, from what its replies used."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from annals import calls
from annals.client import Annals
from annals.command.asking import asking, confirm
from annals.command.memories import Group, Yes
from annals.command.output import ERR, Form, show_json, show_one
from annals.command.words import say

LEAST_USED = 20
"""With fewer used lines one of them moves the suggestion by more than a twentieth."""


@dataclass(frozen=True)
class Suggestion:
    contexts: int
    offered: int
    used: int
    threshold: float | None
    suggested: float | None
    left_out: int


def suggest(contexts: Sequence[dict[str, Any]], keep: float) -> Suggestion:
    """The highest threshold that would still have offered the share `keep` of the lines that
    replies used. Lines that were never offered are not known: it only ever offers less."""
    lines = [item for one in contexts for item in one["items"] if item["kind"] == "message"]
    used = sorted((one["score"] for one in lines if one["was_referenced"]), reverse=True)
    now = next((one["threshold"] for one in contexts if one["threshold"] is not None), None)
    if len(used) < LEAST_USED:
        return Suggestion(len(contexts), len(lines), len(used), now, None, 0)
    lowest = used[min(len(used), max(1, round(keep * len(used)))) - 1]
    found = int(lowest * 1000) / 1000
    left_out = sum(1 for one in lines if one["score"] < found)
    return Suggestion(len(contexts), len(lines), len(used), now, found, left_out)


def tune(
    context: typer.Context,
    group: Group,
    keep: Annotated[
        float, typer.Option(min=0.5, max=1, help="share of the used lines to keep")
    ] = 0.95,
    apply: Annotated[bool, typer.Option(help="make it the group's own settings")] = False,
    yes: Yes = False,
) -> None:
    """What feedback says of a group's weights and its threshold.

    Weights are taken only where contexts that were held back say that they are better.
    """
    shell = asking(context)
    with shell.client() as client:
        weights = client.request(calls.tune_group(group, apply=False))
        found = suggest(client.labelled_contexts(group), keep)
        if shell.form is Form.JSON:
            show_json({"weights": weights, "threshold": vars(found)})
        else:
            told = _told(weights, found)
            show_one(shell.form, told, told)
        if apply:
            _apply(client, group, weights, found, yes=yes)


def _told(weights: dict[str, Any], found: Suggestion) -> dict[str, Any]:
    return {
        "contexts with feedback": weights["contexts"],
        "of them fitted / held back": f"{weights['fitted']} / {weights['held_back']}",
        "held back in order, before": weights["before"],
        "held back in order, after": weights["after"],
        "weights": weights["settings"],
        "verdict": weights["why"],
        "offered lines": found.offered,
        "used lines": found.used,
        "threshold": found.threshold,
        "suggested": found.suggested or say("too few used lines to tell"),
        "would be left out": found.left_out,
    }


def _apply(
    client: Annals, group: str, weights: dict[str, Any], found: Suggestion, *, yes: bool
) -> None:
    """New weights change what a score means, so a threshold is not set along with them."""
    if weights["is_better"]:
        confirm(f"{say('set the weights to')} {weights['settings']}", yes=yes)
        client.request(calls.tune_group(group, apply=True))
    elif found.suggested is not None:
        confirm(f"{say('set the relevance threshold to')} {found.suggested:g}", yes=yes)
        own = client.request(calls.group_settings(group))["settings"]
        changed = {**own, "relevance_threshold": found.suggested}
        client.request(calls.put_group_settings(group, changed))
    else:
        ERR.print(say("nothing to set"))


COMMANDS = (tune,)
