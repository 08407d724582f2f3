"""The kernels in plain Python: the fallback without a compiler, and the oracle of the tests.

They and the extension have the same results, to the last bit, and the same error messages. Their
documentation holds for both. Sets of positions are the bits of integers of any
size (see `masks`), where the extension has rows of 64-bit words.
"""
