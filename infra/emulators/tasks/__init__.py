"""Cloud Tasks on this machine: the real gRPC API over SQLite, delivering over real HTTP."""
