"""The five functions. They never import each other: they meet in Firestore and in tasks."""
