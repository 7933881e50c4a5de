"""One way of writing for the grammar: half-width digits and signs, simplified characters.

Every character becomes one character, so places in the text stay what they are.
"""

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SIGNS = str.maketrans({"\u3000": " ", "\u00a0": " ", "’": "'", "–": "-", "—": "-", "〇": "零"})
_SIMPLER = str.maketrans(
    "週個後這號點時鐘禮兩來過剛現間裡從會將內當農曆臘數幾馬頭準備計劃記預約經適離選員線樓機門車館廳碼為還開與餘長隨",
    "周个后这号点时钟礼两来过刚现间里从会将内当农历腊数几马头准备计划记预约经适离选员线楼机门车馆厅码为还开与余长随",
)


def plainly_written(text: str) -> str:
    """The text in lower case and one script, character for character."""
    written = text.translate(_FULL_WIDTH).translate(_SIGNS).translate(_SIMPLER)
    # A few letters grow when lowered (the dotted capital I): those texts keep their case.
    lowered = written.lower()
    return lowered if len(lowered) == len(text) else written
