"""A platform's set-up is checked without the platform, and what is missing comes with advice."""

import json
from pathlib import Path

import pytest

from infra.secrets import as_environment, development_secrets
from infra.tables import EXAMPLES, example
from shared.config import CHAT_PLATFORM_SETTINGS
from shared.config.settings import CATALOGUE
from shared.errors import Misconfigured
from shared.platforms.platform import Secrets
from shared.platforms.registry import PLATFORMS, check_setup, is_ready, receive
from tests.platforms.sending import NOW, SECRETS
from tests.project import ROOT


def test_every_setting_that_a_platform_needs_is_a_secret_of_the_catalogue() -> None:
    needed = {name for platform in PLATFORMS.values() for name in platform.secrets}

    assert needed == {name for name in CHAT_PLATFORM_SETTINGS if CATALOGUE[name].secret}


def test_the_local_cloud_makes_every_secret_that_a_platform_needs(tmp_path: Path) -> None:
    made = as_environment(development_secrets(tmp_path))

    assert {name.upper() for platform in PLATFORMS.values() for name in platform.secrets} <= set(
        made
    )


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("suffix", ["md", "zh-CN.md"])
def test_a_platform_has_its_page_and_is_linked_where_owners_look(
    platform: str, suffix: str
) -> None:
    page = f"platforms/{PLATFORMS[platform].page}.{suffix}"

    assert (ROOT / "docs" / page).exists()
    assert f"(docs/{page})" in (ROOT / f"README.{suffix}").read_text("utf-8")
    assert f"({page})" in (ROOT / "docs" / f"bots.{suffix}").read_text("utf-8")


@pytest.mark.parametrize("path", EXAMPLES, ids=str)
def test_an_example_deployment_asks_for_no_secret_but_larks(path: Path) -> None:
    assert path.read_text("utf-8") == example(path), "python -m infra.tables"
    left_out = json.loads(path.read_text("utf-8"))["without_secrets"]
    others = {
        secret.upper()
        for name, platform in PLATFORMS.items()
        if name != "lark"
        for secret in platform.secrets
    }

    assert others <= set(left_out)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_platform_with_its_secrets_and_a_message_is_ready(platform: str) -> None:
    checks = check_setup(platform, SECRETS, has_arrived=True)

    assert is_ready(checks)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_until_a_message_has_arrived_it_is_not_ready_and_says_what_to_click(platform: str) -> None:
    checks = check_setup(platform, SECRETS, has_arrived=False)

    assert not is_ready(checks)
    assert "nothing has arrived: " in checks[-1].advice


@pytest.mark.parametrize("platform", [name for name, known in PLATFORMS.items() if known.secrets])
def test_each_needed_setting_is_one_that_the_webhook_itself_asks_for(platform: str) -> None:
    named = [check.advice for check in check_setup(platform, Secrets(), has_arrived=True)]
    with pytest.raises(Misconfigured) as refused:
        receive(platform, {}, b'{"encrypt": "x"}', Secrets(), NOW)

    assert any(str(refused.value.detail["setting"]) in advice for advice in named)


@pytest.mark.parametrize(
    ("platform", "secrets", "word"),
    [
        ("telegram", Secrets(telegram_secret_token="with space"), "setWebhook takes"),
        ("slack", Secrets(slack_signing_secret="xoxb-1"), "Basic Information"),
        ("lark", Secrets(lark_bot_open_id="cli_a1"), "ou_"),
    ],
)
def test_a_value_of_the_wrong_shape_is_told(platform: str, secrets: Secrets, word: str) -> None:
    failed = [
        check for check in check_setup(platform, secrets, has_arrived=True) if not check.passed
    ]

    assert any(word in check.advice for check in failed)
