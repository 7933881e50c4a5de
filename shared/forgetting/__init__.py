"""Forgetting by provenance: what was made of something goes with it, or is made again without it.

Whoever takes something back uses it: ingest for a recall, the historian for a request, evolution
for a memory.
"""
