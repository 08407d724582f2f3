"""Stand-ins for texts that were streamed: hashes and counts for signatures and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.frozen import Frozen
from mteval_core.text.digest import Hashed

if TYPE_CHECKING:
    from mteval_core.text.digest import TextDigest

__all__ = ["SeenTestSet", "SeenText"]


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
    per_segment : int or None
        Number of references of each segment; None if it varies.
    """

    references: tuple[SeenText, ...]
    source: SeenText | None
    documents_text: SeenText | None
    size: int
    per_segment: int | None

    def __len__(self) -> int:
        return self.size

    @property
    def n_references(self) -> int | None:
        """Number of references per segment; None if it varies."""
        return self.per_segment

    def reference_digests(self) -> list[TextDigest]:
        """Return the digest of each reference stream."""
        return [stream.digest for stream in self.references]

    def source_digest(self) -> TextDigest | None:
        """Return the digest of the source; None if it is not known."""
        return None if self.source is None else self.source.digest
