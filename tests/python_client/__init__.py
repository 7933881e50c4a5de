"""The Python client: its queue on disk, its deadlines, its generated parts, and a real turn."""
