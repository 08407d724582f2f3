"""The commands ``plan``, ``partial`` and ``merge``."""
