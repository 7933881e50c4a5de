"""Words as sparse vectors: what a message is found by, over a whole history."""
