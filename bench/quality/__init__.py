"""Quality on text that was not written beside the rules: one module a question."""
