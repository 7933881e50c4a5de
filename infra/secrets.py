"""Development secrets, made once for a data folder: keys and webhooks go on working after a
restart, and no two machines share them."""

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Any

from infra.data_folder import keep, kept


def secrets_file(data: Path) -> Path:
    return data / "secrets.json"


def development_secrets(data: Path) -> dict[str, Any]:
    path, made = secrets_file(data), _made()
    held = kept(path, made, "a new key and new secrets are made, and those of before fit no more")
    whole = _completed(held, made)
    if whole != held:
        keep(path, whole)
    return whole


def _completed(held: dict[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """What is held stays; what a later version needs besides is added."""
    parts = {
        name: _completed(held.get(name, {}), part)
        for name, part in made.items()
        if isinstance(part, dict)
    }
    return {**made, **held, **parts}


def _made() -> dict[str, Any]:
    return {
        "key": f"annals_root_{secrets.token_hex(24)}",
        "hash_key": secrets.token_hex(24),
        "secrets": {
            "lark": {
                "encrypt_key": secrets.token_hex(16),
                "verification_token": secrets.token_hex(16),
            },
            "onebot": {"secret": secrets.token_hex(16)},
            "slack": {"signing_secret": secrets.token_hex(16)},
            "telegram": {"secret_token": secrets.token_hex(16)},
        },
    }


def as_environment(held: dict[str, Any]) -> dict[str, str]:
    """The security settings that a deployment would take from its secret manager."""
    kept = held["secrets"]
    root = held["key"].removeprefix("annals_root_").encode()
    return {
        "ANNALS_HASH_KEY": held["hash_key"],
        "ANNALS_ROOT_KEY_HASH": hmac.new(
            held["hash_key"].encode(), root, hashlib.sha256
        ).hexdigest(),
        "LARK_ENCRYPT_KEY": kept["lark"]["encrypt_key"],
        "LARK_VERIFICATION_TOKEN": kept["lark"]["verification_token"],
        "ONEBOT_SECRET": kept["onebot"]["secret"],
        "SLACK_SIGNING_SECRET": kept["slack"]["signing_secret"],
        "TELEGRAM_SECRET_TOKEN": kept["telegram"]["secret_token"],
    }
