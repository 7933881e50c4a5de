"""Whether "you" is anybody at all: whoever books early, whoever goes to that shop.

Such a pronoun is left for the gate and the model: the bot's name in its place would be wrong.
"""

import re

_NO_BOT_ZH = r"(?![^。！？；\n]{0,80}(?:我|提醒|记得|帮|告诉|回答|推荐|答应))"
"""What one asks of a bot, or tells it of oneself."""
_MUST_ZH = re.compile(
    rf"(?:得|要|必须|可以|能|想|不|就|还得|最好|根本|怎么|永远|只能|没){_NO_BOT_ZH}"
)
_TOPIC_ZH = re.compile(
    r"(?:^|[，。；！？\s])[这那](?:[家个种边里条间款类儿台部]|玩意)"
    r"[^，。；！？\s我说问让叫请求告\ue000-\uf8ff]{0,10}$"
)
_IF_ZH = re.compile(
    rf"(?:^|[，。；！？\s])(?:(?:如果|要是|只要|除非)你|你(?:要是|如果|只要|越)){_NO_BOT_ZH}"
)
_NOT_OWN_EN = r"(?![^.!?\n]{0,120}(?:\?|\b(?:I|me|my|we|us|our"
_CAN_EN = re.compile(
    r" (?:can|can['’]t|cannot|could|have to|need to|don['’]t (?:need|have) to|must|gotta|get to|"
    rf"should|won['’]t)\b{_NOT_OWN_EN}|remind|tell|help|answer|remember|send|translate|search|write|"
    r"say|post|note|check)\b))"
)
_IF_EN = re.compile(r"(?:^|[.!?;,]\s)(?:[a-z'’ ]{0,40}\b)?(?:if|when|unless|once) $", re.IGNORECASE)
_OF_OTHERS_EN = re.compile(rf"{_NOT_OWN_EN})\b))")
_SAID_YOU = re.compile(r"\byou\b", re.IGNORECASE)
_HIDDEN = re.compile(r"[\ue000-\uf8ff]")
_END_EN = re.compile(r"[.!?\n]")


def is_anybody_zh(before: str, rest: str) -> bool:
    """那家店你得预约: 你 is whoever goes there."""
    if _IF_ZH.search(f"{before[-3:]}你{rest[:100]}"):
        return True
    return bool(_MUST_ZH.match(rest) and _TOPIC_ZH.search(before[-40:]))


def is_anybody_en(before: str, rest: str, known: tuple[str, ...]) -> bool:
    """You can park behind the library. Behind "if", where the sentence has somebody of the chat in
    it (in what follows, names are out of sight), the bot may well be meant."""
    sentence = _END_EN.split(before[-200:])[-1]
    if _SAID_YOU.search(sentence) or _CAN_EN.match(rest):
        return True
    names_somebody = any(name in sentence for name in known)
    if names_somebody or _HIDDEN.search(_END_EN.split(rest[:200])[0]):
        return False
    return bool(_IF_EN.search(before[-60:]) and _OF_OTHERS_EN.match(rest))
