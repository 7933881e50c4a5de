"""The two indexes of a deployment: made once, and left alone after."""

from typing import Any
from uuid import uuid4

import pytest

from infra.pinecone_indexes import main


@pytest.fixture(autouse=True)
def _here(told: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINECONE_API_KEY", "local")
    monkeypatch.setenv("PINECONE_CONTROLLER_HOST", told["PINECONE_CONTROLLER_HOST"])


def words(name: str, dimensions: int) -> list[str]:
    return ["--dimensions", str(dimensions), "--index", name, "--words-index", f"{name}-words"]


def test_the_command_makes_both_and_then_leaves_them(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"made-{uuid4().hex[:8]}"

    assert main(words(name, 8)) == 0
    assert capsys.readouterr().out == f"{name}: made\n{name}-words: made\n"
    assert main(words(name, 8)) == 0
    assert capsys.readouterr().out == f"{name}: was there\n{name}-words: was there\n"


def test_an_index_with_other_dimensions_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"made-{uuid4().hex[:8]}"
    assert main(words(name, 8)) == 0

    assert main(words(name, 16)) == 1

    assert f"the index {name} is there already, but its dimension is 8, not 16" in (
        capsys.readouterr().err
    )


def test_an_index_of_another_kind_is_named_and_nothing_is_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = f"made-{uuid4().hex[:8]}"
    assert main(words(name, 8)) == 0
    swapped = ["--dimensions", "8", "--index", f"{name}-new", "--words-index", name]

    assert main(swapped) == 1
    assert f"the index {name} is there already, but has no sparse vectors" in (
        capsys.readouterr().err
    )
    assert main([*swapped[:4], "--words-index", f"{name}-words"]) == 0
    assert f"{name}-new: made" in capsys.readouterr().out
