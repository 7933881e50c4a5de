"""Benches: one script a question."""
