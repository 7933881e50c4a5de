"""Word lists, written as plain words between spaces."""


def words_in(text: str) -> tuple[str, ...]:
    return tuple(text.split())
