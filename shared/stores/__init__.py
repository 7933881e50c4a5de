"""Firestore and Pinecone, by noun."""
