"""Development secrets, made once for a data folder: keys and webhooks go on working after a
restart, and no two machines share them."""

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Any

from infra.data_folder import keep, kept
from shared.platforms.platform import Platform
from shared.platforms.registry import PLATFORMS


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
            platform.name: {
                _short(name, platform): secrets.token_hex(16) for name in platform.secrets
            }
            for platform in PLATFORMS.values()
            if platform.secrets
        },
    }


def _short(name: str, platform: Platform) -> str:
    """`encrypt_key` of `lark_encrypt_key`."""
    return name.removeprefix(f"{platform.name}_")


def as_environment(held: dict[str, Any]) -> dict[str, str]:
    """The security settings that a deployment would take from its secret manager."""
    kept = held["secrets"]
    root = held["key"].removeprefix("annals_root_").encode()
    return {
        "ANNALS_HASH_KEY": held["hash_key"],
        "ANNALS_ROOT_KEY_HASH": hmac.new(
            held["hash_key"].encode(), root, hashlib.sha256
        ).hexdigest(),
        **{
            name.upper(): kept[platform.name][_short(name, platform)]
            for platform in PLATFORMS.values()
            for name in platform.secrets
        },
    }
