"""What a reply tells of the context it was given. Pure."""
