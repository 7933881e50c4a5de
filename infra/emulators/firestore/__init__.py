"""A Firestore emulator: the gRPC protocol of google.firestore.v1 over one SQLite file."""
