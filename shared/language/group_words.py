"""Words for the group itself: any memory and any question may have them, so they tell nothing."""

import re

_GROUP_WORDS = re.compile(
    r"群组|群聊|群里面?|群内|群友们?|群成员|本群|这个群|成员们?|大家|所有人|每个人|"
    r"\b(?:group|members?|people|everyone|everybody|club|team|chat|channel)(?:'s)?\b",
    re.IGNORECASE,
)


def without_group_words(text: str) -> str:
    return _GROUP_WORDS.sub("", text)
