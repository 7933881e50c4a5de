"""The bundler's one error."""


class CannotBundle(Exception):
    """There is no bundle that would work; the message says what to do."""
