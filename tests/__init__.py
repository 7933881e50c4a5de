"""The tests: unit, property, contract, end to end, faults."""
