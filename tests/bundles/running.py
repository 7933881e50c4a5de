"""The five functions of one cloud as a test calls them."""

from dataclasses import dataclass
from typing import Any

import httpx

from tests.bundles.clean import Deployed


@dataclass
class Running:
    cloud: str
    functions: dict[str, Deployed]
    key: str

    def call(
        self, method: str, function: str, path: str, body: Any = None, *, key: str | None = None
    ) -> httpx.Response:
        shown = self.key if key is None else key
        return httpx.request(
            method,
            f"{self.functions[function].base}{path}",
            json=body,
            headers={"Authorization": f"Bearer {shown}"},
            timeout=90,
            trust_env=False,
        )

    def ok(self, method: str, function: str, path: str, body: Any = None) -> dict[str, Any]:
        answer = self.call(method, function, path, body)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        found: dict[str, Any] = answer.json()
        assert found["success"] is True
        return found
