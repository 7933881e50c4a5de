"""How well the eight prompts work on a model: labelled cases, judged by rules."""
