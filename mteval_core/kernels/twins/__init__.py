"""The kernels in plain Python: what runs where no compiler was, and the oracle of the tests."""
