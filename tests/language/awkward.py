"""Texts that make careless patterns slow: one piece again and again, or opened and never closed."""

from collections.abc import Iterator

PIECES = (
    "[image: ", "[file", "[", "]", "[[]", "[!]", "[a]", "[CQ:", "[CQ:at,", "@", "a@", "@a", "@a.",
    "＠", "`", "``", "```", "{", "}", "{a:", '{"', '"', "'", "a'", "'a", "\\", '\\"', "<", "<@",
    "<a", "<think>", ">", "(", ")", "http://", "https://a", "a://", "www.", "a.", ".", "..",
    "...", "a-", "-", " - ", "a:", ":", ": ", "a: ", "1", "1.", "1,", "1:", "12:30", ",", ", ",
    "，", "、", "。", "；", ";", "?", "？", "!", "!?", "~", "_", "__", " ", "  a", "\t", "\n",
    "\n\n", "\r\n", "\n ", "a\n", "a", "A", "aA", "Aa ", "ab ", "a b ", "ing ", "the ", "we ",
    "our ", "bot ", "remember ", "should ", "何", "我", "我们", "哈", "哈哈", "的", "吗", "我a",
    "我1", "我 ", "不", "是不是", "记住", "あ", "한", "é", "e\u0301", "\u0301", "ß", "İ",
    "\u200b", "\u200d", "\u202e", "\ufeff", "\u3000", "\u00a0", "\u2028", "\x00", "\x7f", "👍",
    "👩\u200d💻", "🇩🇪", "𠀀", "\U000e0041", "+", "#", "c++", "a#", "/", "//", "a/", "=", "a=1&",
    "%", "&amp;", "&", "*", "**", "|", "$", "^", "^^",
)  # fmt: skip
FILLING = (" ", "a")
HALVES = ("[!]", "[image: ", "`", "@a", "a'", "我", "1.", "http://a", "(", '"')


def _shapes() -> Iterator[tuple[str, str, str, float]]:
    """A name, what begins, what goes on, and the share that the beginning takes."""
    for piece in PIECES:
        yield f"{piece!r} again and again", piece, piece, 1.0
        for fill in FILLING:
            if piece != fill:
                yield f"{piece!r}, then {fill!r}s", piece, fill, 0.0
    for piece in HALVES:
        for fill in FILLING:
            yield f"{piece!r}s, then {fill!r}s", piece, fill, 0.5


SHAPES = {name: (piece, fill, share) for name, piece, fill, share in _shapes()}


def awkward(name: str, size: int) -> str:
    """So many bytes of the shape of that name."""
    piece, fill, share = SHAPES[name]
    first = _filled(piece, int(size * share)) if share else piece
    return first + _filled(fill, size - len(first.encode()))


def _filled(piece: str, size: int) -> str:
    whole = piece.encode()
    return (whole * (size // len(whole) + 1))[:size].decode(errors="ignore")
