"""Terraform of both clouds, checked without a cloud, and mistakes that the checks must see."""
