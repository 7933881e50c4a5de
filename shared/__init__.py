"""What the five functions share. Imports go down only: see the layers in pyproject.toml."""
