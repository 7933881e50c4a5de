"""Numbers for an operator, and when they are wrong. Pure."""
