"""The door's inside: who calls, how errors are answered, what is logged, when work ends."""
