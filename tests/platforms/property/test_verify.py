"""No request that a platform did not send is let in, whatever is done to one that it sent."""

import base64
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import InvalidInput, Unauthenticated
from shared.platforms.platform import Received, Secrets
from tests.platforms.clients import CLIENTS
from tests.platforms.clients.lark import encrypted
from tests.platforms.fixtures import cases
from tests.platforms.sending import NOW, SECRETS, Request, send

MANY = settings(max_examples=int(os.environ.get("FORGERIES", "500")), deadline=None)
WRONG = Secrets({name: f"another {value}" for name, value in SECRETS.items()})
SIGNED_HEADERS = {
    platform: client.SIGNED_HEADERS for platform, client in CLIENTS.items() if client.SIGNED_HEADERS
}
SENT = {
    platform: [send(platform, case.payload) for case in cases(platform)]
    for platform in SIGNED_HEADERS
}
FORGED = {
    platform: [send(platform, case.payload, WRONG) for case in cases(platform)]
    for platform in SIGNED_HEADERS
}


@dataclass(frozen=True)
class Attempt:
    """A request, perhaps changed, and when it arrives."""

    request: Request
    now: datetime = NOW


def _received(attempt: Attempt) -> Received | None:
    try:
        return attempt.request.received(now=attempt.now)
    except (Unauthenticated, InvalidInput):
        return None


def _signed_part(request: Request) -> tuple[object, ...]:
    names = SIGNED_HEADERS[request.platform]
    return request.body, *(request.headers.get(name) for name in names)


# -- what can be done to a request --------------------------------------------------------------


@st.composite
def changed_bytes(draw: st.DrawFn, sent: Request) -> Attempt:
    at = draw(st.integers(0, len(sent.body) - 1))
    body = sent.body[:at] + draw(st.binary(min_size=1, max_size=3)) + sent.body[at + 1 :]
    return Attempt(replace(sent, body=body))


@st.composite
def truncated(draw: st.DrawFn, sent: Request) -> Attempt:
    return Attempt(replace(sent, body=sent.body[: draw(st.integers(0, len(sent.body) - 1))]))


@st.composite
def lengthened(draw: st.DrawFn, sent: Request) -> Attempt:
    extra = draw(st.sampled_from([b" ", b"\n", b"\0", b"{}", b"\x80" + b"\0" * 40]) | st.binary())
    return Attempt(
        replace(sent, body=draw(st.sampled_from([sent.body + extra, extra + sent.body])))
    )


@st.composite
def encoded_anew(draw: st.DrawFn, sent: Request) -> Attempt:
    text = sent.body.decode()
    value = json.loads(text)
    body = draw(
        st.sampled_from(
            [
                text.encode("utf-16"),
                text.encode("utf-32"),
                text.encode("utf-8-sig"),
                json.dumps(value, indent=1, ensure_ascii=False).encode(),
                json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode(),
                json.dumps(value, sort_keys=True, ensure_ascii=False, indent=0).encode(),
            ]
        )
    )
    return Attempt(replace(sent, body=body))


@st.composite
def with_another_header(draw: st.DrawFn, sent: Request) -> Attempt:
    name = draw(st.sampled_from(SIGNED_HEADERS[sent.platform]))
    old = sent.headers[name]
    at = draw(st.integers(0, len(old) - 1))
    value = draw(
        st.sampled_from(
            [None, "", old.upper(), f" {old}", f"{old} ", f"+{old}", f"0{old}", old[:-1], old * 2]
        )
        | st.characters().map(lambda character: old[:at] + character + old[at + 1 :])
        | st.text(max_size=80)
    )
    return Attempt(sent.with_header(name, value))


@st.composite
def with_text_moved(draw: st.DrawFn, sent: Request) -> Attempt:
    """From one header to its neighbour: what is only joined before hashing cannot tell."""
    names = SIGNED_HEADERS[sent.platform]
    left, right = names[0], names[-1] if len(names) < 3 else names[1]
    joined = sent.headers[left] + sent.headers[right]
    cut = draw(st.integers(0, len(joined)))
    return Attempt(sent.with_header(left, joined[:cut]).with_header(right, joined[cut:]))


@st.composite
def with_headers_of_another(draw: st.DrawFn, sent: Request) -> Attempt:
    return Attempt(replace(sent, headers=draw(st.sampled_from(SENT[sent.platform])).headers))


@st.composite
def forged(draw: st.DrawFn, sent: Request) -> Attempt:
    other = draw(st.sampled_from(FORGED[sent.platform]))
    return Attempt(draw(st.sampled_from([other, replace(other, headers=sent.headers)])))


def unsigned(sent: Request) -> st.SearchStrategy[Attempt]:
    return st.just(Attempt(replace(sent, headers={})))


@st.composite
def replayed(draw: st.DrawFn, sent: Request) -> Attempt:
    away = timedelta(seconds=draw(st.integers(8 * 3600 + 2, 10**9)))
    return Attempt(sent, draw(st.sampled_from([NOW + away, NOW - away])))


@st.composite
def encrypted_wrongly(draw: st.DrawFn, sent: Request) -> Attempt:
    """Lark only: signed or not, but not what the key encrypted."""
    data = bytearray(base64.b64decode(json.loads(sent.body)["encrypt"]))
    at = draw(st.integers(0, len(data) - 1))
    data[at] ^= draw(st.integers(1, 255))
    cut = draw(st.sampled_from([len(data), len(data) - 1, len(data) - 16, 16, 0]))
    body = json.dumps({"encrypt": base64.b64encode(bytes(data[:cut])).decode()}).encode()
    headers = draw(st.sampled_from([{}, sent.headers]))
    return Attempt(replace(sent, body=body, headers=headers))


@st.composite
def forged_token(draw: st.DrawFn, sent: Request) -> Attempt:
    return Attempt(sent.with_header(SIGNED_HEADERS["telegram"][0], draw(st.text())))


TAMPERING: tuple[Callable[[Request], st.SearchStrategy[Attempt]], ...] = (
    changed_bytes,
    truncated,
    lengthened,
    encoded_anew,
    with_another_header,
    with_text_moved,
    with_headers_of_another,
    forged,
    unsigned,
)


def _attempts(
    platform: str, *more: Callable[[Request], st.SearchStrategy[Attempt]]
) -> st.SearchStrategy[tuple[Request, Attempt]]:
    return st.tuples(st.sampled_from(SENT[platform]), st.sampled_from((*TAMPERING, *more))).flatmap(
        lambda pair: st.tuples(st.just(pair[0]), pair[1](pair[0]))
    )


def _check(sent: Request, attempt: Attempt) -> None:
    received = _received(attempt)
    if received is None:
        return
    assert _signed_part(attempt.request) in {_signed_part(each) for each in SENT[sent.platform]}
    assert abs(attempt.now - NOW) <= timedelta(hours=8, seconds=1)


# -- the platforms -----------------------------------------------------------------------------


@MANY
@given(_attempts("lark", replayed, encrypted_wrongly))
def test_lark_lets_in_only_what_it_sent(pair: tuple[Request, Attempt]) -> None:
    _check(*pair)


@MANY
@given(_attempts("slack", replayed))
def test_slack_lets_in_only_what_it_sent(pair: tuple[Request, Attempt]) -> None:
    _check(*pair)


@MANY
@given(_attempts("onebot"))
def test_onebot_lets_in_only_what_it_sent(pair: tuple[Request, Attempt]) -> None:
    _check(*pair)


@MANY
@given(
    st.sampled_from(SENT["telegram"]).flatmap(
        lambda sent: st.one_of(with_another_header(sent), unsigned(sent), forged_token(sent))
    )
)
def test_telegram_lets_in_only_who_knows_the_token(attempt: Attempt) -> None:
    name = SIGNED_HEADERS["telegram"][0]
    received = _received(attempt)

    assert received is None or attempt.request.headers[name] == SECRETS["telegram_secret_token"]


CHALLENGE = encrypted(
    b'{"challenge":"c-1","token":"development-lark-token","type":"url_verification"}',
    "development-lark-key",
)


@MANY
@given(st.one_of(*(change(Request("lark", {}, CHALLENGE)) for change in (
    changed_bytes, truncated, lengthened, encoded_anew, encrypted_wrongly
))))  # fmt: skip
def test_an_unsigned_lark_challenge_brings_nothing_whatever_is_done_to_it(attempt: Attempt) -> None:
    received = _received(attempt)

    assert received is None or (
        received.arrivals == [] and set(received.answer.body or {}) == {"challenge"}
    )
