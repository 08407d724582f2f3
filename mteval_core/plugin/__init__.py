"""Plugins: the hooks they implement, the host's own, and the registry of what they declare."""
