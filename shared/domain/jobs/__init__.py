"""Jobs, leases, retries and the names of tasks. Pure."""
