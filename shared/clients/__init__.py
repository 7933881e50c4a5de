"""Services the functions call: the model, the embedder, the task queue."""
