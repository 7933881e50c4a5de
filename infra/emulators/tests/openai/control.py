"""The emulator's admin endpoint, as tests use it."""

from types import TracebackType
from typing import Any

import httpx


class Control:
    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=url)

    def __enter__(self) -> "Control":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def reset(self) -> None:
        self._http.post("/reset").raise_for_status()

    def counts(self) -> dict[str, Any]:
        counts: dict[str, Any] = self._http.get("/counts").raise_for_status().json()
        return counts

    def forget_counts(self) -> None:
        self._http.delete("/counts").raise_for_status()

    def fault(self, kind: str, **options: Any) -> dict[str, Any]:
        """Order a fault; the answer is the fault as the emulator keeps it."""
        answer = self._http.post("/faults", json={"kind": kind, **options})
        fault: dict[str, Any] = answer.raise_for_status().json()
        return fault

    def refused_fault(self, wish: object) -> str:
        """The message of the refusal."""
        answer = self._http.post("/faults", json=wish)
        assert answer.status_code == 400
        message: str = answer.json()["error"]["message"]
        return message

    def faults(self) -> list[dict[str, Any]]:
        faults: list[dict[str, Any]] = self._http.get("/faults").raise_for_status().json()["faults"]
        return faults

    def remove(self, fault_id: str) -> int:
        return self._http.delete(f"/faults/{fault_id}").status_code
