"""A day of attribution as discrete events: groups that speak, slots, queue, instances, services."""
