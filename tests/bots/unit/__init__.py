"""Bots without a cloud."""
