"""The parts of the documents that come from the code: functions, routes, measured numbers."""
