"""How much random text the tests of the host and of the plugins try."""

from __future__ import annotations

import hypothesis

# A busy machine is not a fault of the code under test, so no example has a deadline.
hypothesis.settings.register_profile("brief", deadline=None, max_examples=15)
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("brief")  # pytest --hypothesis-profile=thorough for the other
