"""Topics in the vector index: each the mean of what was said in it."""

from shared.domain.topics.topic import Topic
from shared.stores.vectors import Vector, VectorPlan, vector_id


def topic_vector(topic: Topic, model: str) -> Vector | None:
    """None while none of its lines has a vector of this model."""
    mean = topic.mean_in(model)
    version = max(1, topic.summary_version)
    return Vector("topic", topic.topic_id, mean, version, topic.created_at) if mean else None


def topic_plan(topic_id: str, topic: Topic | None, model: str) -> VectorPlan:
    """Its vector, or that it has none any more."""
    vector = topic_vector(topic, model) if topic else None
    return VectorPlan([vector]) if vector else VectorPlan(deletes=[vector_id("topic", topic_id)])
