"""Reads that several functions share: search by noun; every hit is read from Firestore."""
