"""Bots and a local cloud."""
