"""How well the prompts work on a model: labelled cases, judged by rules."""
