"""Values of secrets: asked for without showing them, handed to the cloud's own command through a
pipe. None stands on a command line, in a file or in Terraform's variables."""

import getpass
import secrets
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from infra.deploy.environment import CannotDeploy, Environment
from shared.domain.key import ROOT, KeyText, hash_secret

HASH_KEY = "ANNALS_HASH_KEY"
ROOT_HASH = "ANNALS_ROOT_KEY_HASH"

Ask = Callable[[str], str]
Pipe = Callable[[Sequence[str], str], None]


@dataclass(frozen=True)
class MadeKeys:
    """A new hash key, and the root key that goes with it: shown once, kept nowhere."""

    hash_key: str
    root: KeyText

    @classmethod
    def new(cls) -> "MadeKeys":
        return cls(secrets.token_hex(32), KeyText(ROOT, secrets.token_hex(24)))

    def values(self) -> dict[str, str]:
        return {HASH_KEY: self.hash_key, ROOT_HASH: hash_secret(self.hash_key, self.root.secret)}


def fill(
    environment: Environment,
    missing: Sequence[str],
    *,
    ask: Ask = getpass.getpass,
    pipe: Pipe | None = None,
) -> Iterator[str]:
    """Puts a value into each that has none; tells what was done.

    The hash key and the root key are made here, together: neither means anything without the other.
    """
    put = pipe or _piped
    made = MadeKeys.new()
    own = made.values()
    asked_for = [name for name in missing if name not in own]
    if HASH_KEY in missing or ROOT_HASH in missing:
        if not {HASH_KEY, ROOT_HASH} <= set(missing):
            raise CannotDeploy(
                f"only one of {HASH_KEY} and {ROOT_HASH} has a value; docs/operations.md, root key"
            )
        for name, value in own.items():
            put(command(environment, name), value)
            yield f"{name}: made"
        yield f"your root key, shown this once, put it into a safe place:\n\n  {made.root}\n"
    for name in asked_for:
        value = ask(f"{name} (not shown): ").strip()
        if not value:
            yield f"{name}: left out"
            continue
        put(command(environment, name), value)
        yield f"{name}: stored"


def new_root_key(
    environment: Environment, *, ask: Ask = getpass.getpass, pipe: Pipe | None = None
) -> Iterator[str]:
    """Another root key with the same hash key: every other key stays good."""
    hash_key = ask(f"{HASH_KEY} (not shown): ").strip()
    if not hash_key:
        raise CannotDeploy(f"{HASH_KEY} is needed: a hash made with another one fits no key")
    root = KeyText(ROOT, secrets.token_hex(24))
    value = hash_secret(hash_key, root.secret)
    (pipe or _piped)(command(environment, ROOT_HASH), value)
    yield f"your new root key, shown this once:\n\n  {root}\n"


def command(environment: Environment, name: str) -> list[str]:
    """Reads the value from its standard input."""
    if environment.cloud == "gcp":
        place = environment.place()
        words = ["gcloud", "secrets", "versions", "add", place.secret(name)]
        return [*words, f"--project={place.project}", "--data-file=-"]
    # Not --cli-input-json: the command reads that file twice, and a pipe is empty the second time.
    words = ["aws", "ssm", "put-parameter", "--region", environment.settings()["region"]]
    words += ["--name", f"/annals-{environment.name}/{name}", "--type", "SecureString"]
    return [*words, "--overwrite", "--value", "file:///dev/stdin"]


def _piped(words: Sequence[str], text: str) -> None:
    try:
        done = subprocess.run(  # noqa: S603
            words, input=text, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise CannotDeploy(f"the command {words[0]} is not installed") from error
    if done.returncode:
        raise CannotDeploy(f"{' '.join(words[:4])}: {done.stderr.strip()[:300]}")
