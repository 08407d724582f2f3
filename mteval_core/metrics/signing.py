"""Signatures of scores: everything that is needed to compute them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from mteval_core._version import __version__
from mteval_core.plugin.libraries import signed_libraries
from mteval_core.signature import Signature
from mteval_core.text.seen import SeenTestSet
from mteval_core.text.text import TestSet, as_test_set

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mteval_core.plugin.declarations import MetricSpec
    from mteval_core.plugin.registry import Entry, Plugin

__all__ = ["Signed"]


class Signable(Protocol):
    """What a signature needs of a `Scorer`."""

    @property
    def declaration(self) -> MetricSpec: ...
    @property
    def entry(self) -> Entry[MetricSpec]: ...
    @property
    def plugins(self) -> tuple[Plugin, ...]: ...
    @property
    def fields(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def label(self) -> str: ...
    @property
    def uses_references(self) -> bool: ...
    @property
    def uses_source(self) -> bool: ...


class Signed:
    """The signature of a metric: a method of `Scorer`."""

    def get_signature(
        self: Signable,
        references: Sequence[Sequence[str | None]] | TestSet | SeenTestSet | None = None,
        drawn: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Signature:
        """Return the signature of a score; it is complete if you pass the references.

        Parameters
        ----------
        references : sequence of sequence of str, optional
            One sequence per reference stream.
        drawn : mapping of str to tuple of str, optional
            Fields that say how intervals and p-values were drawn.

        Returns
        -------
        Signature
        """
        libraries = signed_libraries(self.declaration.libraries, self.entry.plugin.distribution)
        described, hashed = {}, {}
        if references is not None:
            test_set = (
                references if isinstance(references, SeenTestSet) else as_test_set(references)
            )
            n = test_set.n_references if self.uses_references else 0
            described = {"nrefs": ("var" if n is None else str(n),)}
            hashed = test_set.hashes(references=n != 0, source=self.uses_source)
        return Signature(
            self.label,
            {
                **described,
                **(drawn or {}),
                **self.fields,
                **hashed,
                **({"libraries": libraries} if libraries else {}),
                "plugin": tuple(sorted(plugin.signed for plugin in self.plugins)),
                "version": (__version__,),
            },
        )
