"""Export and import of a group: its lines, renamed ids, and older formats. Pure."""
