"""What the memory API takes."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from shared.contracts.api import Body
from shared.domain.memories.memory import MAX_STATEMENT

Statement = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_STATEMENT)
]
Kind = Literal["habit", "view", "trait", "culture", "taboo", "fact", "preference", "project"]
Tags = Annotated[list[Annotated[str, Field(min_length=1, max_length=50)]], Field(max_length=20)]
Strength = Annotated[float, Field(ge=0, le=1)]


class NewMemory(Body):
    """Without a kind, one is guessed from how the statement is put."""

    statement: Statement
    kind: Kind | None = None
    subject: Annotated[str, Field(max_length=512)] = ""
    tags: Tags = Field(default_factory=list)
    strength: Strength = 0.7
    reason: Annotated[str, Field(max_length=500)] = "added by hand"


class NewVersion(Body):
    statement: Statement
    kind: Kind | None = None
    tags: Tags | None = None
    reason: Annotated[str, Field(max_length=500)] = "changed by hand"


class NewStrength(Body):
    strength: Strength
