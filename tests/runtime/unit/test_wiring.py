"""What a handler depends on is found by name: so the names must mean the same things."""

import importlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from shared.config import Settings
from shared.errors import Misconfigured
from shared.wiring import Services, utc_now

ROOT = Path(__file__).parents[3]
CLASSES = [
    (".".join(path.relative_to(ROOT).with_suffix("").parts), found)
    for path in sorted((ROOT / "functions").glob("*/*.py"))
    for found in re.findall(r"(?m)^class (\w*Deps)\b", path.read_text("utf-8"))
]


GIVEN_BY_HAND = {
    ("functions.build_context.deps", "events"),
    ("functions.build_context.deps", "profiles"),
    ("functions.ingest_message.handle_messages", "removal"),
}
"""Fields that have a service's name and are another thing: their app passes them itself."""


def service_types() -> dict[str, str]:
    """The type of each service, by its name."""
    named = {
        name: str(made.func.__annotations__["return"])
        for name, made in vars(Services).items()
        if isinstance(made, cached_property)
    }
    return named | {"settings": "Settings", "now": "Callable[[], datetime]"}


@pytest.mark.parametrize(("module", "name"), CLASSES)
def test_a_field_named_like_a_service_is_that_service(module: str, name: str) -> None:
    deps = getattr(importlib.import_module(module), name)
    services = service_types()

    for field in fields(deps):
        if field.name in services and (module, field.name) not in GIVEN_BY_HAND:
            assert _name(field.type) == services[field.name], f"{module}: {field.name}"


def _name(found: Any) -> str:
    """A type that is imported for checking only is its own name already."""
    if found == Callable[[], datetime]:
        return "Callable[[], datetime]"
    return found if isinstance(found, str) else str(found.__name__)


def test_deps_are_made_of_the_services_and_what_is_given() -> None:
    @dataclass(frozen=True)
    class Deps:
        now: Callable[[], datetime]
        settings: Settings
        budget_s: float
        tries: int = 3

    made = Services(Settings())
    own = Settings(core_threshold=0.9)

    assert made.deps(Deps, settings=own, budget_s=3.0) == Deps(utc_now, own, 3.0)


FEDERATION = {
    "type": "external_account",
    "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p",
    "subject_token_type": "urn:ietf:params:aws:token-type:aws4_request",
    "token_url": "https://sts.googleapis.com/v1/token",
    "credential_source": {
        "environment_id": "aws1",
        "regional_cred_verification_url": "https://sts.{region}.amazonaws.com",
    },
}


def test_outside_google_the_clients_have_the_credentials_of_the_federation() -> None:
    told = json.dumps(FEDERATION)
    made = Services(Settings(google_external_account=told))
    assert type(made.google_credentials).__module__ == "google.auth.aws"
    assert Services(Settings()).google_credentials is None


@pytest.mark.parametrize("told", ["{", "[]", '{"type": "unheard of"}'])
def test_a_federation_that_is_none_is_named(told: str) -> None:
    made = Services(Settings(google_external_account=told))
    with pytest.raises(Misconfigured, match="ANNALS_GOOGLE_EXTERNAL_ACCOUNT"):
        _ = made.google_credentials
