"""Notes in absolute words: who, when and where, told from what only looks like it."""
