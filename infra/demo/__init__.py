"""`python -m infra.demo`: two weeks of chat through the local cloud, and what became of it."""
