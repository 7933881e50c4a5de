"""A local OpenAI-compatible server: real embeddings, and a chat model made of plain rules."""
