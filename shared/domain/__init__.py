"""Pure rules and frozen records, by noun. No clients, no clock, no randomness, no environment."""
