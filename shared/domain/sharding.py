"""Which part of all groups a group belongs to: what is indexed by time over all of them begins with
it, as an index whose newest end takes every write bears some 500 a second."""

import hashlib

SHARDS = 32
"""At 100,000 groups and their peak of 4,600 messages a second each part takes 300 changes of its
index a second (`infra/capacity.toml`). Another number needs every pending message and open topic
written anew."""


def shard_of(group_id: str) -> int:
    return hashlib.sha256(group_id.encode()).digest()[0] % SHARDS
