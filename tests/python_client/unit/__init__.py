"""The client without Annals, or with a server that behaves badly."""
