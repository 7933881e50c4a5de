"""The function evolve_group: its routes, its handlers, its doors."""
