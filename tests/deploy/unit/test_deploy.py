"""What a deployment says before it starts, where it keeps its settings, and how secrets travel."""

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from infra.deploy import __main__ as command
from infra.deploy.environment import CLOUDS, DEFAULTS, INFRA, CannotDeploy, Environment
from infra.deploy.secret_values import fill, new_root_key
from infra.deploy.terraform import Terraform, keep_urls, targets_of
from shared.config import load
from shared.runtime.auth import KeyRing


@pytest.fixture(params=CLOUDS)
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Environment:
    """One with settings and bundles, in a copy."""
    infra = tmp_path / "infra"
    for cloud in CLOUDS:
        (infra / cloud).mkdir(parents=True)
        shutil.copy(INFRA / cloud / "example.tfvars.json", infra / cloud)
    shutil.copy(INFRA / "tables.json", infra)
    made = Environment(request.param, "test", infra)
    example = json.loads((made.folder / "example.tfvars.json").read_text("utf-8"))
    example["settings"]["MEMORY_MODEL"] = "mine"
    mine = {name: "mine" if str(one).startswith("your") else one for name, one in example.items()}
    made.settings_file.write_text(json.dumps(mine))
    made.bundles.mkdir()
    for name in {row["function"] for row in made.tables()["deployments"].values()}:
        (made.bundles / f"{name}-{made.cloud}.zip").touch()
    return made


def test_nothing_is_missing_of_a_prepared_environment(environment: Environment) -> None:
    assert list(environment.missing(None, lambda _: "/bin/terraform")) == []


def test_it_names_what_is_missing(environment: Environment) -> None:
    (environment.bundles / f"evolve_group-{environment.cloud}.zip").unlink()
    example = (environment.folder / "example.tfvars.json").read_text("utf-8")
    environment.settings_file.write_text(example)

    told = "\n".join(environment.missing(None, lambda _: None))

    assert "terraform" in told
    assert f"make bundle FN=evolve_group CLOUD={environment.cloud}" in told
    assert "alert_email of your own" in told
    assert "build_context" not in told


def test_a_placeholder_is_found_however_deep_it_stands(environment: Environment) -> None:
    mine = environment.settings()
    mine["settings"] = {**mine["settings"], "MEMORY_MODEL": "your chat model"}
    environment.settings_file.write_text(json.dumps(mine))

    (told,) = environment.missing(None, lambda _: "/bin/terraform")

    assert told.endswith("has no settings.MEMORY_MODEL of your own")


@pytest.mark.parametrize(
    ("text", "told"), [("[]", "no JSON object"), ("{", "no JSON"), ('"x"', "no JSON object")]
)
def test_settings_that_are_no_object_are_refused(
    environment: Environment, text: str, told: str
) -> None:
    environment.settings_file.write_text(text)

    with pytest.raises(CannotDeploy, match=rf"infra/\w+/test.tfvars.json is {told}"):
        environment.settings()


def test_a_place_and_a_size_that_are_not_there_are_named(environment: Environment) -> None:
    environment.settings_file.write_text(json.dumps({"size": "7"}))

    with pytest.raises(CannotDeploy, match="project of your own"):
        environment.place()
    with pytest.raises(CannotDeploy, match="size is '7', but there are 1000, "):
        environment.sized_tables()


def test_without_settings_it_says_what_to_copy(environment: Environment) -> None:
    environment.settings_file.unlink()
    with pytest.raises(CannotDeploy, match=r"copy infra/\w+/example.tfvars.json"):
        environment.settings()


@pytest.mark.parametrize("name", ["Prod", "a-b", "", "x" * 13])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(CannotDeploy, match="small letters"):
        Environment("gcp", name).settings()


def test_a_function_is_deployed_with_its_tasks(environment: Environment) -> None:
    assert environment.deployments("ingest_message") == ["ingest_message", "ingest_message-tasks"]
    assert targets_of(["evolve_group"]) == ['module.function["evolve_group"]']
    with pytest.raises(CannotDeploy, match="no such function"):
        environment.deployments("nobody")


def test_it_says_what_it_will_do(environment: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/bin/terraform")
    monkeypatch.setattr(Environment.missing, "__defaults__", (shutil.which,))
    told = command.announced(environment, "evolve_group", is_plan=False)

    assert "Deploys evolve_group\n" in told
    assert "annals-test" in told
    assert "OPENAI_API_KEY" in told
    assert "SLACK_SIGNING_SECRET" not in told, "the example leaves it out"
    assert "asks before" in told


def test_without_functions_neither_bundles_nor_secrets_are_needed(
    environment: Environment,
) -> None:
    settings = json.loads(environment.settings_file.read_text())
    environment.settings_file.write_text(json.dumps({**settings, "with_functions": False}))
    shutil.rmtree(environment.bundles)

    assert environment.secrets() == []
    assert list(environment.missing(None, lambda _: "/bin/terraform")) == []
    assert "documents and queues" in command.announced(environment, None, is_plan=True)


async def test_another_root_key_fits_the_same_hash_key(environment: Environment) -> None:
    piped: list[str] = []
    told = "\n".join(
        new_root_key(environment, ask=lambda _: "h" * 32, pipe=lambda _, text: piped.append(text))
    )

    value = piped[0]
    (root,) = re.findall(r"annals_root_\w+", told)
    settings, _ = load({"ANNALS_HASH_KEY": "h" * 32, "ANNALS_ROOT_KEY_HASH": value})

    async def unknown(_: str) -> None:
        return None

    assert (await KeyRing(unknown, settings).caller(f"Bearer {root}")).key_id == "root"


def test_terraform_gets_files_and_no_secret(environment: Environment) -> None:
    assert Terraform(environment).variables() == [
        "-var=environment=test",
        "-var-file=test.tfvars.json",
    ]


def test_addresses_are_kept_for_the_second_apply(environment: Environment) -> None:
    assert keep_urls(environment, {"evolve_group": "https://a.example"}) is True
    assert keep_urls(environment, {"evolve_group": "https://a.example"}) is False
    assert keep_urls(environment, {"evolve_group": "https://b.example"}) is True
    assert Terraform(environment).variables()[-1] == "-var-file=test.urls.tfvars.json"


async def test_the_root_key_is_made_with_its_hash_and_secrets_go_through_a_pipe(
    environment: Environment,
) -> None:
    piped: list[tuple[Sequence[str], str]] = []
    asked: list[str] = []

    def ask(text: str) -> str:
        asked.append(text)
        return "a-secret-of-mine"

    names = ["ANNALS_HASH_KEY", "ANNALS_ROOT_KEY_HASH", "OPENAI_API_KEY"]
    told = "\n".join(
        fill(environment, names, ask=ask, pipe=lambda words, text: piped.append((words, text)))
    )

    assert asked == ["OPENAI_API_KEY (not shown): "]
    values = [text for _, text in piped]
    assert values[2] == "a-secret-of-mine"
    assert not any(value in word for words, _ in piped for word in words for value in values)
    (root,) = re.findall(r"annals_root_\w+", told)
    settings, _ = load({"ANNALS_HASH_KEY": values[0], "ANNALS_ROOT_KEY_HASH": values[1]})

    async def unknown(_: str) -> None:
        return None

    caller = await KeyRing(unknown, settings).caller(f"Bearer {root}")
    assert caller.key_id == "root"


def test_half_a_root_key_is_not_made_whole(environment: Environment) -> None:
    with pytest.raises(CannotDeploy, match="only one of"):
        list(fill(environment, ["ANNALS_HASH_KEY"], ask=lambda _: "", pipe=lambda *_: None))


@pytest.mark.parametrize("cloud", CLOUDS)
def test_the_examples_and_defaults_are_those_of_terraform(cloud: str) -> None:
    text = (INFRA / cloud / "variables.tf").read_text("utf-8")
    variables = set(re.findall(r'^variable "(\w+)"', text, re.MULTILINE))
    blocks = re.findall(r'^variable "(\w+)" \{\n(.*?)^\}', text, re.DOTALL | re.MULTILINE)
    needed = {name for name, body in blocks if not re.search(r"^  default ", body, re.MULTILINE)}
    example = json.loads((INFRA / cloud / "example.tfvars.json").read_text("utf-8"))

    assert set(example) <= variables
    assert needed <= set(example)
    for name, value in DEFAULTS[cloud].items():
        assert re.search(rf'variable "{name}" \{{[^}}]*default     = "{value}"', text)
