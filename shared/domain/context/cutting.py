"""A long line cut around the words that match. Pure."""

from collections.abc import Collection, Sequence

from shared.language import estimate_tokens

CUT = "..."


def cut_around(text: str, words: Collection[str], max_tokens: int) -> str:
    """As much of the text as has room, around the first place where the words stand closest."""
    if estimate_tokens(text) <= max_tokens:
        return text
    lowered = text.lower()
    places = sorted(at for word in words if (at := lowered.find(word.lower())) >= 0)
    share = max_tokens / max(1, estimate_tokens(text))
    width = max(1, int(len(text) * share))
    start = _best_start(places, width, len(text))
    while width > 0:
        piece = text[start : start + width].strip()
        shown = f"{CUT if start else ''}{piece}{CUT if start + width < len(text) else ''}"
        if estimate_tokens(shown) <= max_tokens:
            return shown
        width -= max(1, width // 10)
    return ""


def _best_start(places: Sequence[int], width: int, length: int) -> int:
    """Where a window holds most of the places, a little before the first of them."""
    if not places or places[-1] < width:
        return 0
    most = max(places, key=lambda at: sum(at <= other < at + width * 3 // 4 for other in places))
    return max(0, min(most - width // 4, length - width))
