"""Memories: their versions, their evolution, and which of them a question asks for. Pure."""
