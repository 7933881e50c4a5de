"""Fits of the small tables that the product ships."""
