"""Messages for tests, as a bot would forward them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

START = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)


def new_group() -> str:
    return f"test:{uuid4().hex[:12]}"


def said(group_id: str, number: int, content: str, **changes: Any) -> dict[str, Any]:
    at = START + timedelta(minutes=number)
    return {
        "group_id": group_id,
        "message_id": f"m{number}",
        "user_id": f"u{number % 3}",
        "user_name": ["Ann", "Bob", "Cid"][number % 3],
        "content": content,
        "role": "user",
        "create_time": at.isoformat(),
        **changes,
    }


def conversation(group_id: str) -> list[dict[str, Any]]:
    """Two threads: a release and a lunch."""
    return [
        said(group_id, 1, "When do we ship the release?"),
        said(group_id, 2, "The release ships on Friday", reply_message_id="m1"),
        said(group_id, 3, "中午去哪里吃饭？"),
        said(group_id, 4, "Friday is fine for the release", reply_message_id="m2"),
        said(group_id, 5, "去楼下的面馆", reply_message_id="m3"),
    ]
