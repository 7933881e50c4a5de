"""Whatever is offered: never over the budget, whole lines, same in, same out."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.context.fitting import LONG_LINE, Context, Offer, fit, offer_message
from shared.domain.context.rendering import names_of
from shared.domain.messages.stored_message import StoredMessage
from shared.language import estimate_tokens

AT = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = st.one_of(
    st.text(min_size=1, max_size=80),
    st.text("的一是在不了有和人这 ab.", min_size=1, max_size=400),
    st.sampled_from(["ok", "word " * 300, "def f(x):\n    return x\n" * 20]),
)


@dataclass(frozen=True)
class Given:
    stable: list[Offer]
    records: list[Offer]
    lines: list[Offer]

    def fit(self, budget: int, most: int | None = None, share: float = 1.0) -> Context:
        names = names_of([line.message for line in self.lines if line.message])
        return fit(
            self.stable,
            self.records,
            self.lines,
            names=names,
            max_tokens=budget,
            max_messages=most,
            lines_share=share,
        )


@st.composite
def offers(draw: st.DrawFn) -> Given:
    stable = [
        Offer(kind, f"s{n}", section, f"> {' '.join(draw(TEXTS).split())}", 1.0, (), AT)
        for n, (kind, section) in enumerate(
            draw(st.lists(st.sampled_from([("profile", "group"), ("profile", "speaker")])))
        )
    ]
    messages = [
        StoredMessage(
            group_id="lark:1",
            message_id=f"m{n}",
            user_id=draw(st.sampled_from(["u1", "u2"])),
            user_name=draw(st.sampled_from(["Ann", "Bob", "Ann\nBob"])),
            content=text,
            create_time=AT + timedelta(minutes=n),
        )
        for n, text in enumerate(draw(st.lists(TEXTS, max_size=12)))
    ]
    names = names_of(messages)
    scores = st.sampled_from([0.2, 0.5, 0.8])
    lines = [offer_message(line, names, draw(scores), ("why",)) for line in messages]
    records = []
    for n, section in enumerate(
        draw(st.lists(st.sampled_from(["memory", "event", "summary", "graph"])))
    ):
        line = f"> {' '.join(draw(TEXTS).split())}"
        records.append(Offer(section, f"d{n}", section, line, draw(scores), (), AT))
    return Given(stable, records, lines)


@settings(deadline=None, max_examples=100)
@given(offers(), st.integers(1, 3000), st.none() | st.integers(1, 20), st.floats(0.1, 1.0))
def test_the_budget_is_never_exceeded(
    given_offers: Given, budget: int, most: int | None, share: float
) -> None:
    context = given_offers.fit(budget, most, share)

    assert context.stable_tokens + context.dynamic_tokens <= budget
    assert context.stable_tokens <= 0.4 * budget
    assert estimate_tokens(context.text) <= context.stable_tokens + context.dynamic_tokens
    turns = [turn["content"] for turn in context.messages]
    assert sum(map(estimate_tokens, turns)) <= budget
    assert most is None or sum(item.kind == "message" for item in context.items) <= most


@settings(deadline=None, max_examples=100)
@given(offers(), st.integers(1, 3000))
def test_nothing_that_would_have_room_is_left_out(given_offers: Given, budget: int) -> None:
    """But for long lines, of which a piece is shown, and what the records may not take."""
    context = given_offers.fit(budget)
    left = budget - context.stable_tokens - context.dynamic_tokens
    shown = {item.id for item in context.items}
    for line in given_offers.lines:
        heading_and_day = 40
        assert line.id in shown or line.cost + heading_and_day > left


@settings(deadline=None, max_examples=100)
@given(offers(), st.integers(1, 600))
def test_a_short_line_is_shown_whole(given_offers: Given, budget: int) -> None:
    context = given_offers.fit(budget)
    shown = {item.id for item in context.items}
    for line in given_offers.lines:
        if line.id in shown and line.cost <= LONG_LINE:
            assert line.line.removeprefix("> ") in context.dynamic


def test_a_paste_leaves_half_of_what_is_left_to_the_others() -> None:
    texts = ["the code of the door is 4711 " + "and so on " * 2_000, "fine", "see you there"]
    messages = [
        StoredMessage(
            group_id="lark:1",
            message_id=f"m{n}",
            user_id="u1",
            user_name="Ann",
            content=text,
            create_time=AT + timedelta(minutes=n),
        )
        for n, text in enumerate(texts)
    ]
    names = names_of(messages)
    lines = [offer_message(message, names, 0.5, ()) for message in messages]
    context = fit([], [], lines, names=names, max_tokens=400, words=["4711"])

    assert [item.id for item in context.items] == ["m0", "m1", "m2"]
    assert "4711" in context.dynamic
    assert "4711" in context.messages[0]["content"]
    assert context.items[0].tokens <= 200


def test_a_summary_gives_way_to_more_lines_if_a_line_of_it_is_shown() -> None:
    message = StoredMessage(
        group_id="lark:1",
        message_id="m1",
        user_id="u1",
        user_name="Ann",
        content="the boat leaves at nine",
        create_time=AT,
    )
    line = offer_message(message, names_of([message]), 0.9, ())
    told = Offer("summary", "t1:1", "summary", "> Boat: the boat leaves at nine", 0.8, (), AT)
    other = Offer("summary", "t2:1", "summary", "> Cake: Ben brings one", 0.8, (), AT)
    context = fit([], [told, other], [line], names={}, max_tokens=600)

    assert [item.id for item in context.items] == ["t2:1", "m1"]


@settings(deadline=None, max_examples=100)
@given(offers(), st.integers(30, 300), st.randoms())
def test_the_same_records_give_the_same_bytes_in_whatever_order_they_came(
    given_offers: Given, budget: int, dice: object
) -> None:
    mixed = list(given_offers.records)
    dice.shuffle(mixed)  # type: ignore[attr-defined]

    assert replace(given_offers, records=mixed).fit(budget) == given_offers.fit(budget)


@settings(deadline=None, max_examples=60)
@given(offers(), offers(), st.integers(1, 3000))
def test_the_stable_part_does_not_depend_on_what_was_said(
    some: Given, more: Given, budget: int
) -> None:
    other = replace(more, stable=some.stable)

    assert some.fit(budget).stable == other.fit(budget).stable
