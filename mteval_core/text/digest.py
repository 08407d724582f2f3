"""Digests of texts: equal for equal texts, and additive over the parts of a text.

They find mistakes: another version of the references, lines that are missing or in another order.
They are no protection against forgers, who can find another text of the same digest.
"""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mteval_core.frozen import Frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

MODULUS = 1 << 64


class TextDigest(Frozen):
    """The digest of a text, or of a part of one.

    It is the sum of a hash of each segment, which depends on the id of the segment, its length and
    its bytes; see `mteval_kernels.text_digest`. So the order in which parts are added does not
    matter.

    Parameters
    ----------
    n_segments : int
        Number of segments.
    low, high : int
        Sums of both halves of the hashes, modulo 2^64.

    Examples
    --------
    >>> import numpy as np
    >>> from mteval_core import Text
    >>> first, last = Text.of(["a", "b"]), Text.of(["c"])
    >>> first.digest + last.part_digest(np.array([2])) == Text.of(["a", "b", "c"]).digest
    True
    """

    n_segments: int = 0
    low: int = 0
    high: int = 0

    def __add__(self, other: TextDigest) -> TextDigest:
        """Return the digest of two parts that have no segment in common."""
        return TextDigest(
            self.n_segments + other.n_segments,
            (self.low + other.low) % MODULUS,
            (self.high + other.high) % MODULUS,
        )

    def __bytes__(self) -> bytes:
        """Return both halves in 16 bytes, little-endian."""
        return struct.pack("<QQ", self.low, self.high)

    @property
    def hex(self) -> str:
        """The digest in 32 hexadecimal digits, as reports write it."""
        return bytes(self).hex()


def reference_hash(streams: Sequence[TextDigest]) -> str:
    """Compute the ``refs`` field of a signature, a hash of a set of references.

    Parameters
    ----------
    streams : sequence of TextDigest
        The digest of each reference stream.

    Returns
    -------
    str
        12 hexadecimal digits of BLAKE2b. It covers the number of streams, the number of segments,
        both as little-endian numbers of 64 bits, and the 16 bytes of each digest. Two sets of
        references that differ by mistake have the same hash once in 2^48 cases.

    Examples
    --------
    >>> from mteval_core import TestSet, Text
    >>> references = Text.of(["a b", "c"])
    >>> TestSet((references,)).hash == reference_hash([references.digest])
    True
    """
    from hashlib import blake2b

    n_segments = streams[0].n_segments if streams else 0
    content = struct.pack("<qq", len(streams), n_segments) + b"".join(map(bytes, streams))
    return blake2b(content, digest_size=6).hexdigest()


class Hashed:
    """What signatures say of the texts of a test set, which has ``references`` and a ``source``."""

    references: Any
    source: Any

    @cached_property
    def hash(self) -> str:
        """Hash of the references, see `reference_hash`."""
        return reference_hash([stream.digest for stream in self.references])

    @cached_property
    def source_hash(self) -> str | None:
        """Hash of the source, computed as that of one reference stream; None if unknown."""
        return None if self.source is None else reference_hash([self.source.digest])

    def hashes(self, *, references: bool, source: bool) -> dict[str, tuple[str, ...]]:
        """Fields of a signature: the hashes of references and source, if these are used."""
        hashes: dict[str, tuple[str, ...]] = {"refs": (self.hash,)} if references else {}
        if source and self.source_hash is not None:
            hashes["src"] = (self.source_hash,)
        return hashes


class SeenText(Frozen):
    """A text of which only the digest is left.

    Parameters
    ----------
    digest : TextDigest
        Its digest, with the number of segments.
    path : str or None
        The file that it was read from.
    """

    digest: TextDigest
    path: str | None = None

    def __len__(self) -> int:
        return self.digest.n_segments


class SeenTestSet(Hashed, Frozen):
    """A test set of which only digests are left.

    Parameters
    ----------
    references : tuple of SeenText
        The reference streams.
    source : SeenText or None
        The source.
    documents_text : SeenText or None
        The document ids.
    size : int
        Number of segments.
    n_references : int or None
        Number of references of each segment; None if it varies.
    """

    references: tuple[SeenText, ...]
    source: SeenText | None
    documents_text: SeenText | None
    size: int
    n_references: int | None

    def __len__(self) -> int:
        return self.size
