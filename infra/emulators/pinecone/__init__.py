"""Pinecone's REST API (version 2026-07) over SQLite and memory-mapped float32 matrices."""
