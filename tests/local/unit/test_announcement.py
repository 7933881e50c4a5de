"""What somebody needs who follows a page is in what `make run` says, or where it says."""

from pathlib import Path

import pytest

from infra.announcement import announcement
from infra.local import own_chat_model
from shared.platforms.registry import PLATFORMS
from tests.project import ROOT


def test_it_says_where_the_development_secrets_are() -> None:
    told = announcement("http://127.0.0.1:8080", "annals_root_1", Path("my/data"), ["one", "two"])

    assert "my/data/secrets.json" in told
    assert "annals_root_1" in told
    assert "/one, /two" in told


def test_it_says_which_chat_model_answers_and_that_the_stand_in_is_one() -> None:
    given = ("http://127.0.0.1:8080", "annals_root_1", Path("my/data"), ["one"])

    assert "annals-rules, a stand-in" in announcement(*given)
    assert "some-model" in announcement(*given, "some-model")
    assert "stand-in" not in announcement(*given, "some-model")


def test_a_chat_model_of_ones_own_needs_its_server_and_its_name() -> None:
    both = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "MEMORY_MODEL": "some-model"}

    assert own_chat_model(both) == ("http://127.0.0.1:1/v1", "some-model")
    for name, value in both.items():
        assert own_chat_model({name: value}) == (None, None)


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("suffix", ["md", "zh-CN.md"])
def test_the_page_of_a_platform_with_secrets_says_where_they_are(
    platform: str, suffix: str
) -> None:
    page = (ROOT / "docs/platforms" / f"{PLATFORMS[platform].page}.{suffix}").read_text()

    assert ("`DATA/secrets.json`" in page) is bool(PLATFORMS[platform].secrets)
