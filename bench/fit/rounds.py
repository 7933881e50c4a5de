"""Fits one table: probes and votes first, then weights by rounds of roll-in, then the residual."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.fit.fitting import averaged, fit_probes, fit_residual, fit_votes, fit_weights
from bench.fit.rolling import Examples, Score, Spoken, Stack, plain_score, roll
from shared.threads.features import LINE_FEATURES, NEW_FEATURES, Seeing
from shared.threads.pairs import Probes
from shared.threads.tables import Table

OF_PROBES = frozenset({"reply", "reply_to_end", "opener", "plain_opener", "most_reply"})
"""Features that mean nothing for an embedding model nobody has looked into."""


@dataclass(frozen=True)
class Recipe:
    """Each `early_every`-th chat is enough for all rounds but the last. `topics_there` is what the
    bias on opening is set for: topics found per topic there are. Several `nets` from different
    beginnings are averaged: each alone is a matter of luck."""

    rounds: int = 3
    early_every: int = 1
    penalty: float = 1.0
    opener_penalty: float = 3e-4
    reply_penalty: float = 1e-3
    residual_penalty: float = 3e-4
    hidden_units: int = 48
    epochs: int = 4
    dropped: float = 0.2
    nets: int = 2
    pair_share: float = 1.0
    topics_there: float = 1.1
    with_probes: bool = True

    @property
    def without(self) -> frozenset[str]:
        return frozenset() if self.with_probes else OF_PROBES


@dataclass(frozen=True)
class RolledIn:
    """What the rounds leave: a table without its second layer, and what that is fitted on."""

    table: Table
    stack: Stack
    chats: Sequence[Spoken]
    seeings: Sequence[Seeing]


def fit_table(chats: Sequence[Spoken], folds: Sequence[int], recipe: Recipe) -> Table:
    return with_residual(roll_in(chats, folds, recipe), recipe)


def roll_in(chats: Sequence[Spoken], folds: Sequence[int], recipe: Recipe) -> RolledIn:
    """`folds` parts the chats in two: probes are fitted on one and used on the other, so that the
    weights learn what probes are worth on texts they have not seen."""
    crossed = [
        _parts([one for one, fold in zip(chats, folds, strict=True) if fold != held], recipe)
        for held in (0, 1)
    ]
    whole = _parts(chats, recipe)
    seeings = [Seeing(*crossed[fold]) for fold in folds]
    score: Score = plain_score
    table = Table(np.zeros(len(LINE_FEATURES)), np.zeros(len(NEW_FEATURES)), whole[1], whole[0])
    stack: Stack | None = None
    for number in range(recipe.rounds):
        examples = Examples()
        every = 1 if number == recipe.rounds - 1 else recipe.early_every
        for chat, seeing in list(zip(chats, seeings, strict=True))[::every]:
            roll(chat, seeing, score, examples)
        stack = examples.stacked()
        lines, new, loss = fit_weights(stack, recipe.penalty, recipe.without)
        print(f"  {len(stack)} examples, loss {loss:.4f}", flush=True)
        table = replace(table, lines=lines, new=new)
        score = scorer(table)
    assert stack is not None
    return RolledIn(table, stack, chats, seeings)


def with_residual(rolled: RolledIn, recipe: Recipe) -> Table:
    table = rolled.table
    if recipe.nets:
        nets = [
            fit_residual(
                rolled.stack,
                table.lines,
                table.new,
                hidden_units=recipe.hidden_units,
                epochs=recipe.epochs,
                penalty=recipe.residual_penalty,
                seed=seed,
                dropped=recipe.dropped,
                without=recipe.without,
            )
            for seed in range(recipe.nets)
        ]
        table = replace(table, residual=averaged(nets))
    return replace(table, opens=_opens(table, rolled.chats, rolled.seeings, recipe.topics_there))


def scorer(table: Table) -> Score:
    return lambda sight: table.scores(sight.lines, sight.new)


def _opens(
    table: Table, chats: Sequence[Spoken], seeings: Sequence[Seeing], wanted: float
) -> float:
    """The bias on opening at which as many topics are found as are wanted, by halving."""
    some = list(zip(chats, seeings, strict=True))[:: max(1, len(chats) // 16)]
    there = sum(sum(gold == [] for gold in chat.follows) for chat, _ in some)
    low, high = -3.0, 3.0
    for _ in range(6):
        middle = (low + high) / 2
        score = scorer(replace(table, opens=middle))
        found = 0
        for chat, seeing in some:
            rolled = roll(chat, seeing, score)
            found += sum(
                place == follows and gold is not None
                for place, (follows, gold) in enumerate(
                    zip(rolled.follows, chat.follows, strict=True)
                )
            )
        low, high = (middle, high) if found < wanted * there else (low, middle)
    return round((low + high) / 2, 2)


def _parts(chats: Sequence[Spoken], recipe: Recipe) -> tuple[Probes, Any]:
    probes = Probes()
    if recipe.with_probes:
        probes = fit_probes(chats, recipe.opener_penalty, recipe.reply_penalty)
    rows, labels = pair_rows(chats, Seeing(probes, None), recipe.pair_share)
    return probes, fit_votes(rows, labels)


def pair_rows(chats: Sequence[Spoken], seeing: Seeing, share: float) -> tuple[Any, Any]:
    """Pairs of labelled lines, a share of them, and whether they are of one topic."""
    dice = np.random.default_rng(0)
    rows, labels = [], []
    for chat in chats:
        if dice.random() > share:
            continue

        def keep(sight: Any, chat: Spoken = chat) -> Any:
            place = sight.start + len(sight.lines)
            near = range(place - len(sight.voted), place)
            if chat.follows[place] is not None and len(sight.voted):
                known = [chat.follows[other] is not None for other in near]
                rows.append(sight.voted[known])
                own = chat.topics[place]
                labels.append(
                    [chat.topics[other] == own for other, ok in zip(near, known, strict=True) if ok]
                )
            return np.append(np.zeros(len(sight.lines)), 1.0)

        roll(chat, seeing, keep)
    return np.concatenate(rows), np.concatenate(labels)
