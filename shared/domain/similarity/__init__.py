"""Vectors and what their cosine means. Pure."""
