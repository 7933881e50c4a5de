"""The prompts, a file each, and the library that finds and fills them."""
