"""What this process may not do though it should: known to health until it succeeds again.

For faults of a deployment (a missing right), not for what passes by itself.
"""

_KNOWN: dict[str, str] = {}


def began(name: str, reason: str) -> None:
    _KNOWN[name] = reason


def ended(name: str) -> None:
    _KNOWN.pop(name, None)


def known() -> list[str]:
    """The reasons, for whoever runs the deployment."""
    return list(_KNOWN.values())
