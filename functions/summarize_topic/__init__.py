"""The function summarize_topic: its routes, its handlers, its doors."""
