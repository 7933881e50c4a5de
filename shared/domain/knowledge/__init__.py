"""Events, profiles, entities and relations. Pure."""
