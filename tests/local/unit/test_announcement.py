"""What somebody needs who follows a page is in what `make run` says, or where it says."""

from pathlib import Path

import pytest

from infra.announcement import announcement
from shared.platforms.receive import PLATFORMS
from shared.platforms.setup import NEEDED
from tests.platforms.unit.test_setup import PAGES
from tests.project import ROOT


def test_it_says_where_the_development_secrets_are() -> None:
    told = announcement("http://127.0.0.1:8080", "annals_root_1", Path("my/data"), ["one", "two"])

    assert "my/data/secrets.json" in told
    assert "annals_root_1" in told
    assert "/one, /two" in told


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("suffix", ["md", "zh-CN.md"])
def test_the_page_of_a_platform_with_secrets_says_where_they_are(
    platform: str, suffix: str
) -> None:
    page = (ROOT / "docs/platforms" / f"{PAGES.get(platform, platform)}.{suffix}").read_text()

    assert ("`DATA/secrets.json`" in page) is bool(NEEDED[platform])
