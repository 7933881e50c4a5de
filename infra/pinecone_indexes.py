"""`python -m infra.pinecone_indexes --dimensions 1536`: the two indexes of a deployment, once.

The key comes from `PINECONE_API_KEY` or is asked for. An index that is there already stays.
"""

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from shared.config import load

SPARSE = {"_sparse_values": {"type": "sparse_vector"}}


def dense(dimensions: int) -> dict[str, Any]:
    return {"_values": {"type": "dense_vector", "dimension": dimensions, "metric": "cosine"}}


async def make_indexes(
    wanted: Mapping[str, Mapping[str, Any]],
    *,
    api_key: str,
    host: str | None = None,
    cloud: str = "aws",
    region: str = "us-east-1",
) -> list[str]:
    """The names of those that were made: the others were there."""
    from pinecone import AsyncPinecone

    made = []
    async with AsyncPinecone(api_key=api_key, host=host) as client:
        for name, fields in wanted.items():
            if await client.indexes.exists(name):
                continue
            await client.indexes.create(
                name=name,
                schema={"fields": fields},
                deployment={"deployment_type": "managed", "cloud": cloud, "region": region},
            )
            made.append(name)
    return made


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
    made = asyncio.run(
        make_indexes(
            wanted,
            api_key=key,
            host=settings.pinecone_controller_host,
            cloud=args.cloud,
            region=args.region,
        )
    )
    for name in wanted:
        print(f"{name}: {'made' if name in made else 'was there'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
