"""The check through real addresses."""
