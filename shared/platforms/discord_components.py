"""What a Discord message of components shows: it has no content and no embeds of its own."""

from collections.abc import Iterator

from shared.domain.messages.message import Attachment
from shared.platforms.payload import Node

_TEXT, _THUMBNAIL, _GALLERY, _FILE = "10", "11", "12", "13"
_MAX_DEPTH = 6
"""Discord nests three deep; a made message cannot exhaust the stack."""


def texts(message: Node) -> Iterator[str]:
    """Every text display, in reading order. Buttons and menus are controls, nobody's words."""
    for component in walk(message):
        if component.text("type") == _TEXT:
            yield component.text("content")


def attachments(message: Node) -> Iterator[Attachment]:
    """Pictures and files that only the components name."""
    for component in walk(message):
        kind = component.text("type")
        if kind == _THUMBNAIL:
            yield Attachment("image", component.text("description"))
        elif kind == _GALLERY:
            for item in component.nodes("items"):
                is_video = item.node("media").text("content_type").startswith("video/")
                yield Attachment("video" if is_video else "image", item.text("description"))
        elif kind == _FILE:
            yield Attachment("file", component.text("name"))


def walk(parent: Node, depth: int = 0) -> Iterator[Node]:
    """Containers and sections with what is in them; an accessory stands beside its section."""
    if depth > _MAX_DEPTH:
        return
    for component in parent.nodes("components"):
        yield component
        yield from walk(component, depth + 1)
        if accessory := component.node("accessory"):
            yield accessory
