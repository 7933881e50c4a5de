"""Jobs in motion: sent as tasks, run under their leases, taken back from the dead."""
