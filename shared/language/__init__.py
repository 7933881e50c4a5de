"""The text of a message: its words, its language, its tokens. Pure."""
