"""Which indexes there are: the automatic ones, and what `firestore.indexes.json` says."""

from pathlib import Path

from infra.emulators.firestore.composites import Composite


class Rules:
    """Without a file every query is served and every field is indexed."""

    def __init__(self) -> None:
        self.enforced = False
        self.composites: dict[str, list[Composite]] = {}

    def keeps(self, collection: str, path: str, contains: bool) -> bool:
        """Whether entries of the field are kept for queries on one collection."""
        return True


def load(file: Path | None) -> Rules:
    return Rules()
