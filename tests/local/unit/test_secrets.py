"""Development secrets: made once, kept, and completed when a later version needs more of them."""

import json
from pathlib import Path

from infra.secrets import as_environment, development_secrets


def test_they_are_the_same_after_a_restart_and_for_the_owner_only(tmp_path: Path) -> None:
    made = development_secrets(tmp_path)

    assert development_secrets(tmp_path) == made
    assert (tmp_path / "secrets.json").stat().st_mode & 0o077 == 0


def test_a_folder_of_before_gets_the_secrets_of_a_platform_that_came_later(tmp_path: Path) -> None:
    made = development_secrets(tmp_path)
    older = json.loads(json.dumps(made))
    del older["secrets"]["telegram"], older["secrets"]["lark"]["verification_token"]
    (tmp_path / "secrets.json").write_text(json.dumps(older))

    now = development_secrets(tmp_path)

    assert as_environment(now).keys() == as_environment(made).keys()
    assert (now["key"], now["secrets"]["slack"]) == (made["key"], made["secrets"]["slack"])
    assert now["secrets"]["lark"]["encrypt_key"] == made["secrets"]["lark"]["encrypt_key"]
    assert development_secrets(tmp_path) == now, "and keeps them"
