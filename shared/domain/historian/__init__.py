"""Notes in absolute words: what the model is told of the days, and what the gate lets through."""
