"""`python -m infra.reindex --cloud gcp --env NAME`: fills the indexes in Pinecone from the
beginning: marks every group; upkeep does the work, group by group.

Without an environment it takes the database that the settings of this process name.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from google.auth.exceptions import GoogleAuthError

from infra.check.steps import CannotGoOn
from infra.deploy.environment import CLOUDS, Environment
from shared.config import load
from shared.domain.group import BEGINNING, Group
from shared.errors import AnnalsError
from shared.stores.groups import Groups
from shared.wiring import Services

PAGE = 200


async def mark_all(groups: Groups, now: datetime) -> int:
    """How many groups were marked. Again is harmless: upkeep asks the index what it has."""
    marked, after = 0, ""
    while page := await groups.by_id(after, PAGE):
        for group in page:
            after = group.group_id
            if not group.is_deleted:
                await groups.change(group.group_id, _from_the_beginning, now)
                marked += 1
    return marked


def _from_the_beginning(group: Group) -> Group:
    """Upkeep takes those first whose last one is longest ago."""
    return replace(group, unindexed_since=BEGINNING, maintained_at=BEGINNING)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m infra.reindex", description=__doc__)
    parser.add_argument("--cloud", choices=CLOUDS)
    parser.add_argument("--env")
    args = parser.parse_args(argv)
    if bool(args.cloud) != bool(args.env):
        parser.error("an environment is named by both: --cloud and --env")
    try:
        marked = asyncio.run(_marked(args.cloud, args.env))
    except (CannotGoOn, AnnalsError) as cannot:
        print(f"annals: {cannot}", file=sys.stderr)
        return 1
    print(f"{marked} groups marked; /cron/maintain fills the indexes, 200 groups a call")
    return 0


async def _marked(cloud: str | None, name: str | None) -> int:
    told = dict(os.environ)
    if cloud and name:
        place = Environment(cloud, name).place()
        told |= {"GOOGLE_CLOUD_PROJECT": place.project, "FIRESTORE_DATABASE": place.prefix}
    settings, _ = load(told)
    made = Services(settings)
    try:
        return await mark_all(made.groups, made.now())
    except GoogleAuthError as error:
        raise CannotGoOn(
            "nobody is logged in to Google Cloud, or no longer: gcloud auth application-default "
            f"login ({error})"
        ) from error
    finally:
        await made.close()


if __name__ == "__main__":
    sys.exit(main())
