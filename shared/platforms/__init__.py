"""Chat platforms: verify what they send and turn it into messages. Pure, with no vendor SDK."""
