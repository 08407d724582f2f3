"""Lazy values, read on first use: a test set can have hundreds of score files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


class Lazy(Mapping[str, T]):
    """A mapping of names to values, each of which a function reads at most once."""

    def __init__(self, readers: Mapping[str, Callable[[], T]]) -> None:
        self._readers = readers
        self._values: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._values:
            self._values[name] = self._readers[name]()
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


class LazyValues(Sequence[T]):
    """The values of a `Lazy` mapping as a sequence."""

    def __init__(self, mapping: Lazy[T]) -> None:
        self._mapping = mapping

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        names = list(self._mapping)
        if isinstance(place, slice):
            return [self._mapping[name] for name in names[place]]
        return self._mapping[names[place]]

    def __len__(self) -> int:
        return len(self._mapping)
