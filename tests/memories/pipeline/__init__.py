"""Handlers in process, on real emulators, with a clock of their own."""
