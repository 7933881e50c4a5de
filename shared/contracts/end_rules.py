"""What a bot's prompt says of the tool `end`: served with the tools, shown in docs/bots.md."""

END_RULES = {
    "en": (
        "When your turn is over, call `end` exactly once. `action_summary`: what you did, one short"
        " sentence, only what really happened. `new_info`: at most one new fact from the newest"
        " message; leave it empty if there is none, and do not repeat what you already knew. Write"
        ' as you speak ("I told her", "tomorrow"): names, dates and places are filled in later. Put'
        " what somebody said literally in quotation marks."
    ),
    "zh": (
        "一轮结束时，恰好调用一次 `end`。`action_summary`：本轮实际做了什么，一句短句。`new_info`："
        "从最新一条消息里提取至多一条新信息；没有就留空，不要复述已知的事。照平常说话写"
        "（“我告诉她”“明天”）即可，人名、日期和地点之后会补全。别人的原话请放在引号里。"
    ),
}
