"""Commands on a database."""
