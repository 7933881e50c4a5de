"""The client and a local cloud."""
