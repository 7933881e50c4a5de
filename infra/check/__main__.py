"""`python -m infra.check [before|after] --cloud gcp|aws --env NAME`, or `--url ADDRESS`.

`before`: what a deployment needs. `after`: what it made, then a message in, a context out, a task
delivered, and everything forgotten again. With `--url` only the latter, against the functions at
one address, as `make run` serves them. The key comes from `ANNALS_KEY`, from `--key-file`, or is
asked for: never from the command line.
"""

import argparse
import getpass
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import httpx

from infra.check import aws_account, google_cloud, round_trip
from infra.check.steps import CannotGoOn, Step, tell
from infra.deploy.environment import CLOUDS, Environment
from infra.deploy.terraform import Terraform
from shared.config.deployment import FUNCTIONS

CALL_TIMEOUT_S = 90.0
"""A cold start and a slow model; what takes longer is not well."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m infra.check", description=__doc__)
    parser.add_argument("when", nargs="?", choices=("before", "after"), default="after")
    parser.add_argument("--cloud", choices=CLOUDS)
    parser.add_argument("--env", help="its settings: infra/CLOUD/ENV.tfvars.json")
    parser.add_argument("--url", help="the functions as folders of one address")
    parser.add_argument("--key-file", type=Path, help="holds the key; `-` reads it from stdin")
    parser.add_argument("--ready-file", type=Path, help="what `python -m infra.local` left")
    args = parser.parse_args(argv)
    if not (args.url or args.ready_file or (args.cloud and args.env)):
        parser.error("name a deployment: --cloud and --env, or --url")
    try:
        return 1 if tell(_steps(args)) else 0
    except CannotGoOn as cannot:
        print(f"annals: {cannot}", file=sys.stderr)
        return 1


def _steps(args: argparse.Namespace) -> Iterator[Step]:
    if args.ready_file:
        base, key = _told(args.ready_file)
        yield from _through(round_trip.at_one_url(base, FUNCTIONS), key)
    elif args.url:
        yield from _through(round_trip.at_one_url(args.url, FUNCTIONS), _key(args.key_file))
    else:
        yield from _of_cloud(Environment(args.cloud, args.env), args)


def _of_cloud(environment: Environment, args: argparse.Namespace) -> Iterator[Step]:
    is_before = args.when == "before"
    google, tables = google_cloud.Google(), environment.sized_tables()
    region = environment.settings()["region"]
    if not environment.has_functions and not is_before:
        yield from google_cloud.documents_and_queues(google, environment.place(), tables)
        return
    if environment.cloud == "gcp":
        look = google_cloud.before if is_before else google_cloud.after
        found = list(look(google, environment.place(), tables))
    else:
        seen = aws_account.before if is_before else aws_account.after
        found = list(seen(tables, environment.name, region, environment.without(), aws_account.aws))
        if not is_before:
            found += google_cloud.documents_and_queues(google, environment.place(), tables)
    yield from found
    if is_before or not all(step.is_ok for step in found):
        return
    closed = {name for name, row in tables["deployments"].items() if not row["public"]}
    urls = Terraform(environment).output("urls")
    on_google = frozenset(closed) if environment.cloud == "gcp" else frozenset()
    yield from _through(urls, _key(args.key_file), on_google)


def _through(
    urls: dict[str, str], key: str, closed: frozenset[str] = frozenset()
) -> Iterator[Step]:
    with httpx.Client(timeout=CALL_TIMEOUT_S) as client:
        yield from round_trip.check(round_trip.Deployment(urls, key, client, closed))


def _told(path: Path) -> tuple[str, str]:
    """Address and key."""
    try:
        told = json.loads(_text(path))
        return str(told["base"]), str(told["key"])
    except (ValueError, KeyError, TypeError) as error:
        raise CannotGoOn(f"{path} is no ready file of `python -m infra.local`") from error


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise CannotGoOn(f"{path} cannot be read: {why}") from error


def _key(path: Path | None) -> str:
    if path is not None:
        return (sys.stdin.read() if str(path) == "-" else _text(path)).strip()
    return os.environ.get("ANNALS_KEY") or getpass.getpass("key (not shown): ").strip()


if __name__ == "__main__":
    sys.exit(main())
