"""Topics and their summaries. Pure."""
