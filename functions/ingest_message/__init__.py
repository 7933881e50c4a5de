"""The function ingest_message: its routes, its handlers, its doors."""
