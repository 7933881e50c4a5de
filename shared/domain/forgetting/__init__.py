"""What is left of a record when some of what it was made of is forgotten. Pure."""
