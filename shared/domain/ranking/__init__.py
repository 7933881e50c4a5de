"""Which lines and records answer a question: one sum of few numbers, for any encoder. Pure."""
