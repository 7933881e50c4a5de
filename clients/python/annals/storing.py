"""How the outbox's batches reach Annals, and what its answers mean for them."""

import hashlib
import os
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

from annals import calls
from annals.addresses import Addresses
from annals.errors import Broken, Refused
from annals.outbox import FEEDBACK, MESSAGE, RELAY, Delivery, Entry, NotNow
from annals.sending import Call, read_answer

AGAIN = frozenset({401, 403, 408, 409, 425, 429})
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
            return Delivery([(entry, str(error))])
        return Delivery()

    def _messages(self, batch: Sequence[Entry]) -> Delivery:
        """A list is stored but for what is rejected in it. A list that is refused as a whole is
        sent one by one, so that one bad message costs no other."""
        try:
            answer = self._ask(calls.store_messages([entry.body for entry in batch]))
        except Refused as error:
            if len(batch) == 1:
                return Delivery([(batch[0], str(error))])
            refused = [one for entry in batch for one in self._messages([entry]).refused]
            return Delivery(refused)
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
            if error.status in AGAIN:
                raise NotNow(str(error)) from error
            raise
