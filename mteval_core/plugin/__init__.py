"""Plugins: hooks, declarations, kinds of declarations, and the registry that finds them."""
