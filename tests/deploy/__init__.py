"""Deployment: tables, rules of both clouds, Terraform."""
