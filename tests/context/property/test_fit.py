"""Whatever is offered: never over the budget, a smaller budget adds nothing, same in, same out."""

from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.context.fitting import Context, Offer, fit, offer_message
from shared.domain.context.rendering import names_of
from shared.domain.messages.stored_message import StoredMessage
from shared.language import estimate_tokens

AT = datetime(2026, 1, 1, tzinfo=UTC)
TEXTS = st.one_of(
    st.text(min_size=1, max_size=80),
    st.text("的一是在不了有和人这 ab.", min_size=1, max_size=400),
    st.sampled_from(["ok", "word " * 300, "def f(x):\n    return x\n" * 20]),
)


@st.composite
def offers(draw: st.DrawFn) -> tuple[list[Offer], list[Offer]]:
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
    dynamic = [
        offer_message(one, names, draw(scores), ("why",), is_needed=draw(st.booleans()))
        for one in messages
    ]
    for n, section in enumerate(
        draw(st.lists(st.sampled_from(["memory", "event", "summary", "graph"])))
    ):
        line = f"> {' '.join(draw(TEXTS).split())}"
        dynamic.append(Offer(section, f"d{n}", section, line, draw(scores), (), AT))
    return stable, dynamic


def ids(context: Context) -> set[tuple[str, str]]:
    return {(item.kind, item.id) for item in context.items}


@settings(deadline=None, max_examples=60)
@given(offers(), st.integers(1, 3000), st.integers(1, 20))
def test_the_budget_is_never_exceeded(
    given_offers: tuple[list[Offer], list[Offer]], budget: int, most: int
) -> None:
    stable, dynamic = given_offers
    context = fit(stable, dynamic, max_messages=most, max_tokens=budget)

    assert context.stable_tokens + context.dynamic_tokens <= budget
    assert context.stable_tokens <= 0.4 * budget
    assert estimate_tokens(context.text) <= context.stable_tokens + context.dynamic_tokens
    turns = [one["content"] for one in context.messages]
    assert sum(map(estimate_tokens, turns)) <= budget
    assert sum(item.kind == "message" for item in context.items) <= most


@settings(deadline=None, max_examples=100)
@given(offers(), st.integers(1, 600), st.integers(1, 60) | st.integers(1, 3000), st.integers(1, 20))
def test_a_smaller_budget_never_adds_an_item(
    given_offers: tuple[list[Offer], list[Offer]], budget: int, more: int, most: int
) -> None:
    stable, dynamic = given_offers
    small, large = (
        fit(stable, dynamic, max_messages=most, max_tokens=tokens)
        for tokens in (budget, budget + more)
    )

    assert ids(small) <= ids(large)


@given(st.lists(st.integers(1, 20), min_size=3, max_size=30), st.integers(30, 200))
def test_one_token_more_never_costs_an_item(lengths: list[int], budget: int) -> None:
    dynamic = [
        Offer("memory", f"d{n}", "memory", "> " + "word " * length, 1 - n / 100, (), AT)
        for n, length in enumerate(lengths)
    ]
    small, large = (
        fit([], dynamic, max_messages=9, max_tokens=tokens) for tokens in (budget, budget + 1)
    )

    assert ids(small) <= ids(large)


def test_an_event_is_whole_where_there_is_room_for_it() -> None:
    text = "> On 2026-11-18 Ida booked a table for six at the harbour for the 28th of the month"
    event = Offer("event", "e1", "event", text, 0.9, (), AT)
    longer = Offer("summary", "t1", "summary", "> " + "they spoke of it " * 20, 0.8, (), AT)
    roomy = fit([], [event, longer], max_messages=9, max_tokens=200)
    tight = fit([], [event, longer], max_messages=9, max_tokens=36)

    assert text in roomy.text
    assert text not in tight.text
    assert "[…]" in roomy.text, "a summary is a paragraph, and stays in its share"
    assert roomy.dynamic_tokens <= 200


@settings(deadline=None, max_examples=200)
@given(offers(), st.integers(30, 300), st.randoms())
def test_the_same_offers_give_the_same_bytes_in_whatever_order_they_came(
    given_offers: tuple[list[Offer], list[Offer]], budget: int, dice: object
) -> None:
    stable, dynamic = given_offers
    first = fit(stable, dynamic, max_messages=9, max_tokens=budget)
    mixed = list(dynamic)
    dice.shuffle(mixed)  # type: ignore[attr-defined]

    assert fit(stable, mixed, max_messages=9, max_tokens=budget) == first


@settings(deadline=None, max_examples=60)
@given(offers(), offers(), st.integers(1, 3000))
def test_the_stable_part_does_not_depend_on_what_was_said(
    some: tuple[list[Offer], list[Offer]], more: tuple[list[Offer], list[Offer]], budget: int
) -> None:
    one = fit(some[0], some[1], max_messages=9, max_tokens=budget)
    other = fit(some[0], more[1], max_messages=9, max_tokens=budget)

    assert one.stable == other.stable
