"""Decisions of attribution, without any store."""
