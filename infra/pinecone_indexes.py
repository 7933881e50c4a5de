"""`python -m infra.pinecone_indexes --dimensions 1536`: the two indexes of a deployment, once.

The key comes from `PINECONE_API_KEY` or is asked for. An index that is there already stays; one of
another kind or with other dimensions is named, as nothing could be written to it.
"""

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pinecone.errors import PineconeError

from infra.check.steps import CannotGoOn
from shared.config import load

SPARSE: dict[str, dict[str, Any]] = {"_sparse_values": {"type": "sparse_vector"}}


def dense(dimensions: int) -> dict[str, Any]:
    return {"_values": {"type": "dense_vector", "dimension": dimensions, "metric": "cosine"}}


class OtherIndex(CannotGoOn):
    """An index of that name is there, but not the one that is needed."""


async def make_indexes(
    wanted: Mapping[str, Mapping[str, Any]],
    *,
    api_key: str,
    host: str | None = None,
    cloud: str = "aws",
    region: str = "us-east-1",
) -> list[str]:
    """The names of those that were made: the others were there. OtherIndex, before any is made, if
    one that is there is not as it is wanted."""
    from pinecone import AsyncPinecone

    made = []
    async with AsyncPinecone(api_key=api_key, host=host) as client:
        there = [name for name in wanted if await client.indexes.exists(name)]
        for name in there:
            seen = await client.indexes.describe(name)
            if said := difference(wanted[name], seen.schema.fields):
                raise OtherIndex(f"the index {name} is there already, but {said}")
        for name, fields in wanted.items():
            if name in there:
                continue
            await client.indexes.create(
                name=name,
                schema={"fields": fields},
                deployment={"deployment_type": "managed", "cloud": cloud, "region": region},
            )
            made.append(name)
    return made


def difference(wanted: Mapping[str, Mapping[str, Any]], there: Mapping[str, Any]) -> str:
    """How the fields of an index differ from those wanted, in words; nothing if they do not."""
    for name, field in wanted.items():
        if name not in there:
            kind = str(field["type"]).replace("_", " ")
            return f"has no {kind}s: take another name (--index, --words-index)"
        for what in ("dimension", "metric"):
            is_, must = getattr(there[name], what, None), field.get(what)
            if must is not None and is_ != must:
                return (
                    f"its {what} is {is_}, not {must}: name another index (--index), or an "
                    f"embedding model that fits this one"
                )
    return ""


def main(argv: Sequence[str] | None = None) -> int:
    settings, _ = load(os.environ)
    parser = argparse.ArgumentParser(prog="python -m infra.pinecone_indexes", description=__doc__)
    parser.add_argument("--dimensions", type=int, required=True, help="of the embedding model")
    parser.add_argument("--cloud", default="aws", help="where Pinecone keeps them")
    parser.add_argument("--region", default="us-east-1")
    parser.add_argument("--index", default=settings.pinecone_index)
    parser.add_argument("--words-index", default=settings.pinecone_words_index)
    args = parser.parse_args(argv)
    key = settings.pinecone_api_key or getpass.getpass("PINECONE_API_KEY (not shown): ").strip()
    wanted = {args.index: dense(args.dimensions), args.words_index: SPARSE}
    try:
        made = asyncio.run(
            make_indexes(
                wanted,
                api_key=key,
                host=settings.pinecone_controller_host,
                cloud=args.cloud,
                region=args.region,
            )
        )
    except (CannotGoOn, PineconeError) as refused:
        print(f"annals: {refused}", file=sys.stderr)
        return 1
    for name in wanted:
        print(f"{name}: {'made' if name in made else 'was there'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
