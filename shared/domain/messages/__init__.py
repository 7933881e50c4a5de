"""Messages: as they arrive, as they are stored, and what a delivery changes. Pure."""
