"""Nothing that is shown of a setting has a password in it."""

import pytest

from shared.config import load
from shared.config.settings import masked

HIDDEN = ("joe", "hunter2", "sk-1")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("https://joe:hunter2@models.example/v1", "https://***@models.example/v1"),
        ("ftp://joe:hunter2@models.example", "ftp://***@models.example"),
        ("joe:hunter2@models.example", "***@models.example"),
        ("https://joe:hunt@er2@models.example", "https://***@models.example"),
        ("https://models.example/v1?key=sk-1", "https://models.example/v1?***"),
        ("https://models.example/v1", "https://models.example/v1"),
        ("many", "many"),
    ],
)
def test_an_address_is_shown_without_its_credentials(written: str, shown: str) -> None:
    assert masked(written) == shown


def test_a_long_password_is_not_shown_because_the_value_is_cut() -> None:
    assert "hunter2" not in masked(f"ftp://joe:{'hunter2' * 20}@models.example")


@pytest.mark.parametrize("scheme", ["https", "ftp"])
def test_neither_a_warning_nor_the_settings_shown_have_a_password(scheme: str) -> None:
    written = f"{scheme}://joe:hunter2@models.example/v1?key=sk-1"
    found, problems = load({"MEMORY_EMBEDDING_BASE_URL": written, "OPENAI_BASE_URL": written})

    shown = repr(found) + repr(problems)

    assert "models.example/v1" in shown
    assert not any(one in shown for one in HIDDEN)
