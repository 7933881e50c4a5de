"""How the outbox's batches reach Annals, and what its answers mean for them."""

import hashlib
import os
import ssl
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import httpx

from annals import calls
from annals.addresses import Addresses
from annals.errors import Broken, Refused
from annals.outbox import FEEDBACK, MESSAGE, RELAY, Delivery, Entry, NotNow
from annals.sending import Call, read_answer

FORBIDDEN = 403
AGAIN = frozenset({401, FORBIDDEN, 408, 409, 425, 429})
"""Not of the entry but of the moment or the key: an operator mends these, and nothing is lost."""


def outbox_file(addresses: Addresses) -> Path:
    """One file an address and key, so that two bots of one machine do not mix."""
    folder = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    name = hashlib.sha256(f"{addresses.url}\n{addresses.key}".encode()).hexdigest()[:16]
    return Path(folder).expanduser() / "annals" / f"outbox-{name}.db"


class Storing:
    def __init__(self, addresses: Addresses, timeout_s: float, tls: ssl.SSLContext) -> None:
        self._addresses = addresses
        self._http = httpx.Client(timeout=timeout_s, verify=tls)

    def close(self) -> None:
        self._http.close()

    def deliver(self, batch: Sequence[Entry]) -> Delivery:
        if batch[0].kind == MESSAGE:
            return self._messages(batch)
        (entry,) = batch
        if entry.kind == FEEDBACK:
            call = calls.give_feedback(entry.body["context_id"], entry.body["said"])
        elif entry.kind == RELAY:
            call = calls.relay_event(entry.body["platform"], entry.body["event"])
        else:
            call = calls.store_note(entry.body)
        return self._one(entry, call)

    def _one(self, entry: Entry, call: Call) -> Delivery:
        try:
            self._ask(call)
        except Refused as error:
            return _not_taken([entry], error)
        return Delivery()

    def _messages(self, batch: Sequence[Entry]) -> Delivery:
        """A list is stored but for what is rejected in it. A list that is refused for one group is
        sent without it, and one that is refused as a whole one by one: nothing costs another."""
        try:
            answer = self._ask(calls.store_messages([entry.body for entry in batch]))
        except Refused as error:
            of_group = [one for one in batch if one.body.get("group_id") == _group_in(error)]
            if len(batch) == 1:
                return _not_taken(batch, error)
            if of_group:
                others = [one for one in batch if one not in of_group]
                rest = self._messages(others) if others else Delivery()
                return _both(_not_taken(of_group, error), rest)
            return reduce(_both, [self._messages([entry]) for entry in batch])
        results = answer.get("results")
        if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
            raise NotNow("an answer that tells nothing of the messages", was_answered=True)
        return Delivery(
            [
                (entry, str(result.get("reason")))
                for entry, result in zip(batch, results, strict=False)
                if result.get("outcome") == "rejected"
            ]
        )

    def _ask(self, call: Call) -> dict[str, Any]:
        try:
            response = self._http.request(**call.request(self._addresses))
            return read_answer(response.status_code, response.content)
        except httpx.HTTPError as error:
            raise NotNow(str(error) or repr(error)) from error
        except Broken as error:
            raise NotNow(str(error), was_answered=True) from error
        except Refused as error:
            if error.status in AGAIN and not _group_in(error):
                raise NotNow(str(error)) from error
            raise


def _group_in(error: Refused) -> str | None:
    """The group that a refusal is about. Without one it is about the key itself, and then nothing
    of what waits may go."""
    named = error.detail.get("group_id") if isinstance(error.detail, dict) else None
    return named if error.status == FORBIDDEN and isinstance(named, str) else None


def _not_taken(entries: Sequence[Entry], error: Refused) -> Delivery:
    """A group that was deleted stays so; a key may be given other groups, and everything else that
    is refused is so for good."""
    told = [(entry, str(error)) for entry in entries]
    may_heal = _group_in(error) and not error.detail.get("is_deleted")
    return Delivery(held=told) if may_heal else Delivery(told)


def _both(one: Delivery, other: Delivery) -> Delivery:
    return Delivery([*one.refused, *other.refused], [*one.held, *other.held])
