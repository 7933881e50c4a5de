"""The function historian_job: its routes, its handlers, its doors."""
