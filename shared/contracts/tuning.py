"""A group's own weights, fitted to feedback, as the API shows them."""

from pydantic import BaseModel, ConfigDict

from shared.contracts.api import Answer


class TuneRequest(BaseModel):
    """With `apply` the group takes the weights if they are better; without, they are shown."""

    model_config = ConfigDict(extra="forbid")

    apply: bool = False


class TuneAnswer(Answer):
    """`contexts` have feedback; `fitted` and `held_back` of them told something. `before` and
    `after` are the shares of pairs of a used and an unused line, among what was held back, that
    are in the right order. `settings` are what the group would have, or has if `is_applied`."""

    group_id: str
    scorer: str
    contexts: int
    fitted: int
    held_back: int
    before: float | None
    after: float | None
    is_better: bool
    is_applied: bool
    why: str
    settings: dict[str, float | dict[str, float]]
