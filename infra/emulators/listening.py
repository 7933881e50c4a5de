"""The socket that an emulator's HTTP side answers on."""

import socket


def listen(host: str, port: int) -> socket.socket:
    """Clients that come early wait in its queue. Port 0 is any free one; OSError if taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio would not switch Nagle's delay off: 40 ms an answer.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(512)
    except OSError:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
