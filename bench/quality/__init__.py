"""Quality on text that nobody wrote beside the rules: topics, context, search, memories, dates."""
