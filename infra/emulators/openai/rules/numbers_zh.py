"""Chinese words for numbers."""

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "兩": 2, "三": 3, "四": 4, "五": 5, "六": 6,
           "七": 7, "八": 8, "九": 9}  # fmt: skip


def number(words: str) -> int:
    """十五, 二十三, 两百 and plain digits; digit by digit when there is no ten in it."""
    if words.isdigit():
        return int(words)
    if not any(unit in words for unit in "十百千"):
        return int("".join(str(_DIGITS[word]) for word in words))
    total = rest = 0
    for word in words:
        if word in _DIGITS:
            rest = _DIGITS[word]
        else:
            total += (rest or 1) * {"十": 10, "百": 100, "千": 1000}[word]
            rest = 0
    return total + rest
