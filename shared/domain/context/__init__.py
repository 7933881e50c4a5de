"""Contexts: which messages and memories a reply needs, fitted into a budget and rendered. Pure."""
