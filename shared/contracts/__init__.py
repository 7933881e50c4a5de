"""What crosses a wire: requests and answers, tasks, replies of a model, the queues' table."""
