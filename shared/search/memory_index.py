"""Memories in the vector index."""

from collections.abc import Mapping, Sequence

from shared.domain.memories.memory import Memory, MemoryStatus
from shared.domain.similarity.vectors import unpack
from shared.search.vector_writes import put_as_stored
from shared.stores.memories import Memories
from shared.stores.vectors import Vector, VectorPlan, Vectors, vector_id


def memory_vector(memory: Memory) -> Vector:
    return Vector(
        "memory", memory.memory_id, unpack(memory.vector), memory.version, memory.updated_at
    )


async def index(
    group_id: str, memory_ids: Sequence[str], memories: Memories, vectors: Vectors
) -> None:
    """What is active is in the index, what is not is not. Safe to repeat."""

    async def put(found: Mapping[str, Memory]) -> None:
        upserts = [
            memory_vector(memory)
            for memory in found.values()
            if memory.status is MemoryStatus.ACTIVE and memory.vector
        ]
        active = {vector.record_id for vector in upserts}
        deletes = [
            vector_id("memory", memory_id) for memory_id in memory_ids if memory_id not in active
        ]
        await vectors.apply(group_id, VectorPlan(upserts, deletes))

    await put_as_stored(lambda: memories.get_many(group_id, memory_ids), put)
