"""Fits the table of groups that people look into now and then, on natural talks.

There are few of them, so little is learnt anew: the table of talk that flows is corrected, line by
line what its features are worth here, and drawn back to it by a penalty. The probes are their own:
how people open a matter among themselves, dialogues between strangers do not show.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.fit.fitting import fit_probes, softmax_loss
from bench.fit.optimise import lbfgs
from bench.fit.rejoins import Seen, collect_on, fit_rejoins
from bench.fit.rolling import Examples, Spoken, Stack, roll, roll_on
from bench.fit.tangling import tangled
from bench.labelled_chats import LabelledChat, read_chats
from shared.threads.features import LINE_FEATURES, Seeing
from shared.threads.pairs import PAUSE_S, Probes
from shared.threads.rejoining import Enough
from shared.threads.tables import Table, Tables

TALKS = Path(__file__).parent.parent / "talks" / "matters"
VARIANTS = 1
"""Of each talk, tangled, beside the talk itself."""
PENALTY = 20.0
REJOIN_PENALTY = 1e-2
OPENER_PENALTY, REPLY_PENALTY = 3e-4, 3e-4
"""On other talks the probes then tell an opener from another line 84 times of 100 (those of the
plain table 48, chance 50), and a line of the same matter from one of another 67 times (64)."""
ENOUGH = Enough(near=-1.6, far=-0.8, alone=2.0)
"""Of what was looked at with chats kept back: `near` at -0.8 and `alone` at 1 find a tenth more
topics and no more of them right, `far` at -0.5 is half a point of 1-1 worse."""
ROLLED_WITH = Enough(near=-1.6, far=-0.5, alone=2.0)
"""Where talks are rolled over, so that more is left to learn from."""


def natural_talks(chats: Sequence[Path] = ()) -> list[LabelledChat]:
    """The project's own, and each of them tangled in several ways; labelled `chats` are as dense as
    groups are, and are taken as they are."""
    found = []
    for talk in read_chats(TALKS):
        found += [talk, *(tangled(talk, seed) for seed in range(VARIANTS))]
    for file in chat_files(chats):
        found += read_chats(file)
    return found


def chat_files(chats: Sequence[Path]) -> list[Path]:
    """Of labelled chats, named one by one or by their folder."""
    return [
        file for one in chats for file in (sorted(one.glob("*.json")) if one.is_dir() else [one])
    ]


def fit_visited(
    talks: Sequence[LabelledChat], plain: Table, as_spoken: Callable[[LabelledChat], Spoken]
) -> Table:
    """First by the plain table's decisions, then by those of what that gave, second look and all:
    features of topics must come from topics as they will be found."""
    chats = [_resumed(as_spoken(one)) for one in talks]
    folds = _folds(chats)
    crossed = [
        own_probes([one for one, fold in zip(chats, folds, strict=True) if fold != held], plain)
        for held in (0, 1)
    ]
    seeings = [Seeing(crossed[fold], plain.votes) for fold in folds]
    examples = Examples()
    for chat, seeing in zip(chats, seeings, strict=True):
        roll(chat, seeing, lambda sight: plain.scores(sight.lines, sight.new), examples)
    table = replace(corrected(plain, examples.stacked(), PENALTY), enough=ROLLED_WITH)
    weights = fit_rejoins(chats, seeings, table, REJOIN_PENALTY, plain.rejoins)
    table = replace(table, rejoins=weights)
    examples = Examples()
    for chat, fold in zip(chats, folds, strict=True):
        roll_on(chat, _alone(table, crossed[fold]), examples)
    table = replace(
        corrected(plain, examples.stacked(), PENALTY), enough=ROLLED_WITH, rejoins=weights
    )
    seen = Seen()
    for chat, fold in zip(chats, folds, strict=True):
        collect_on(chat, _alone(table, crossed[fold]), seen)
    weights = seen.fitted(REJOIN_PENALTY, plain.rejoins)
    return replace(table, probes=own_probes(chats, plain), rejoins=weights, enough=ENOUGH)


def _alone(table: Table, probes: Probes) -> Tables:
    """The one table whatever the chat's habits, with probes of other talks."""
    table = replace(table, probes=probes)
    return Tables(table, table, table)


def _folds(chats: Sequence[Spoken]) -> list[int]:
    """Two, so that weights learn what probes are worth on texts they have not seen: a talk and what
    is tangled of it are in one."""
    names = list(dict.fromkeys(one.name.partition("~")[0] for one in chats))
    return [names.index(one.name.partition("~")[0]) % 2 for one in chats]


def own_probes(chats: Sequence[Spoken], plain: Table) -> Probes:
    """Of these talks, on the scale of the plain table's, whose second layer goes on reading them;
    none where that knows nothing of the embedding model."""
    if plain.probes.opener is None:
        return plain.probes
    found = fit_probes(chats, OPENER_PENALTY, REPLY_PENALTY)
    lines = np.concatenate([one.vectors for one in chats])
    was = lines @ plain.probes.opener + plain.probes.opener_bias
    scale = float(was.std() / (lines @ found.opener).std())
    shift = float(was.mean() - scale * (lines @ found.opener).mean())
    as_large = np.abs(plain.probes.reply).mean() / np.abs(found.reply).mean()
    return Probes(
        (scale * found.opener).astype(np.float32),
        np.float32(shift),
        (as_large * found.reply).astype(np.float32),
    )


def _resumed(chat: Spoken) -> Spoken:
    """Who takes a matter up after a pause may open a topic as well: the second look joins both."""
    return replace(
        chat,
        resumes=frozenset(
            place
            for place, gold in enumerate(chat.follows)
            if gold and chat.lines[place].at - chat.lines[max(gold)].at > PAUSE_S
        ),
    )


def corrected(table: Table, stack: Stack, penalty: float) -> Table:
    """The table with the weights that suit these examples, as near to its own as they allow."""
    count, slots, wide = stack.lines.shape
    base = np.stack([_scores(table, stack, place) for place in range(count)])
    rows = stack.lines.astype(np.float32)
    rows[~stack.exists] = 0.0
    rows[:, -1] = 0.0
    flat = rows.reshape(count * slots, wide)
    spread = flat[stack.exists.ravel()].std(0)
    spread[spread < 1e-6] = 1e9
    new_spread = stack.new.std(0)
    new_spread = np.where(new_spread < 1e-6, np.abs(stack.new).mean(0) + 1e-6, new_spread)
    flat, new = flat / spread, (stack.new / new_spread).astype(np.float32)

    def loss(at: Any) -> tuple[float, Any]:
        scores = base + (flat @ at[:wide].astype(np.float32)).reshape(count, slots)
        scores[:, -1] += new @ at[wide:].astype(np.float32)
        value, slope = softmax_loss(scores, stack)
        down = np.concatenate([flat.T @ slope.ravel(), new.T @ slope[:, -1]]).astype(np.float64)
        return value + penalty * float(at @ at), down + 2 * penalty * at

    found, value = lbfgs(loss, np.zeros(wide + new.shape[1]), 80)
    print(f"  {count} examples of natural talk, loss {value / count:.4f}", flush=True)
    return replace(
        table,
        lines=(table.lines + found[:wide] / spread).astype(np.float32),
        new=(table.new + found[wide:] / new_spread).astype(np.float32),
    )


def _scores(table: Table, stack: Stack, place: int) -> Any:
    """Of every slot, the second layer on all of them."""
    rows, new = stack.lines[place].astype(np.float32), stack.new[place]
    assert rows.shape[1] == len(LINE_FEATURES)
    scores = rows @ table.lines
    scores[-1] += new @ table.new + table.opens
    return scores + (0.0 if table.residual is None else table.residual.added(rows[:-1], new))
