"""The two indexes of a deployment: made once, and left alone after."""

from typing import Any
from uuid import uuid4

import pytest

from infra.pinecone_indexes import main


def test_the_command_makes_both_and_then_leaves_them(
    told: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PINECONE_API_KEY", "local")
    monkeypatch.setenv("PINECONE_CONTROLLER_HOST", told["PINECONE_CONTROLLER_HOST"])
    name = f"made-{uuid4().hex[:8]}"
    words = ["--dimensions", "8", "--index", name, "--words-index", f"{name}-words"]

    assert main(words) == 0
    assert capsys.readouterr().out == f"{name}: made\n{name}-words: made\n"
    assert main(words) == 0
    assert capsys.readouterr().out == f"{name}: was there\n{name}-words: was there\n"
