"""The function build_context: its routes, its handlers, its doors."""
