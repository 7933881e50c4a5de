"""Recall: which of the things said answers a question, ranked by one weighted sum. Pure."""
