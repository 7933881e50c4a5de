"""The bot's end-of-turn note, as `POST /end` takes it, and what a prompt says of the tool `end`."""

from typing import Annotated

from pydantic import Field, field_validator

from shared.config.setting import is_zone
from shared.contracts.api import Body, EndSeq, GroupId, Id
from shared.domain.knowledge.event import Note

Text = Annotated[str, Field(max_length=16_000)]


class EndRequest(Body):
    """Old callers send `summary`: it counts as `action_summary`. Without a `timezone` the group's
    own holds."""

    group_id: GroupId
    user_id: Id
    request_id: Id
    end_seq: EndSeq = 0
    action_summary: Text = ""
    new_info: Text = ""
    summary: Text = ""
    force: bool = False
    message_ids: Annotated[list[Id], Field(max_length=200)] = Field(default_factory=list)
    location: Annotated[str, Field(max_length=200)] = ""
    timezone: Annotated[str, Field(max_length=64)] = ""

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        if name and not is_zone(name):
            raise ValueError(f"{name!r} is no time zone; use a name like Asia/Shanghai")
        return name

    def note(self) -> Note:
        return Note(
            group_id=self.group_id,
            user_id=self.user_id,
            request_id=self.request_id,
            end_seq=self.end_seq,
            action_summary=(self.action_summary or self.summary).strip(),
            new_info=self.new_info.strip(),
            force=self.force,
            message_ids=tuple(self.message_ids),
            location=self.location,
            timezone=self.timezone,
        )


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
