"""What a message's own text and fields tell: who is addressed, what kind it is, which words."""
