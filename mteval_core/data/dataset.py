"""Data sets: a test set with the systems, judgments and outside scores that belong to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from mteval_core.data.addresses import MARK
from mteval_core.errors import InputError, near
from mteval_core.frozen import Frozen
from mteval_core.names import check_name
from mteval_core.text.text import TestSet, Text

if TYPE_CHECKING:
    from mteval_core.data.judgments import Judgments
    from mteval_core.data.outside import OutsideScores


OPTIONAL = {"source": "source", "docs": "documents", "domains": "domains", "ids": "ids"}
"""Texts that a test set may have: as fields of a data set, and as its attributes."""


class Dataset(Frozen, eq=False, kw_only=True):
    """A test set and what belongs to it. The function of a `DatasetSpec` returns one.

    Parameters
    ----------
    test_set : TestSet or None
        References, and source, documents and ids if they are known. None: the data set has only
        judgments or scores.
    systems : mapping of str to Text or sequence of Text
        The output of each system, or its runs.
    judgments : mapping of str to Judgments
        Human scores by name, such as ``mqm`` or ``esa.sys``. The mapping may read them when they
        are asked for.
    scores : sequence of OutsideScores
        Scores of metrics that were computed elsewhere.
    language : str
        Code of the target language, such as ``ja``; empty if unknown.
    reference_names : tuple of str
        Names of the reference streams (default: ``ref0``, ``ref1``, ...).
    path : str
        What `mteval_core.read_dataset` reads it from. The host fills it in.

    Raises
    ------
    InputError
        If there is not one distinct name per reference stream, or a name cannot be shown.

    Examples
    --------
    >>> data = Dataset(test_set=TestSet((Text.of(["eins"]),)), systems={"A": Text.of(["ein"])})
    >>> data.fields
    ('ref.ref0', 'system.A')
    >>> list(data.text("system.A"))
    ['ein']
    """

    test_set: TestSet | None = None
    systems: Mapping[str, Text | Sequence[Text]] = field(default_factory=dict)
    judgments: Mapping[str, Judgments] = field(default_factory=dict)
    scores: Sequence[OutsideScores] = ()
    language: str = ""
    reference_names: tuple[str, ...] = ()
    path: str = ""

    def __post_init__(self) -> None:
        streams = self.test_set.references if self.test_set else ()
        names = self.reference_names or tuple(f"ref{k}" for k in range(len(streams)))
        if len(names) != len(streams) or len({*names}) < len(names):
            raise InputError(
                f"{self.path or 'the data set'}: the names {', '.join(names)} for {len(streams)} "
                f"reference streams; expected a different name for each"
            )
        for name in names:
            check_name(name, "reference stream", InputError)
        for name in self.systems:
            check_name(name, "system", InputError)
        object.__setattr__(self, "reference_names", names)

    def __len__(self) -> int:
        return len(self.test_set) if self.test_set else 0

    @property
    def texts(self) -> TestSet:
        """The test set.

        Raises
        ------
        InputError
            If the data set has only judgments or scores.
        """
        if self.test_set is None:
            raise InputError(f"{self.path} has no references; use it with --human or --scores")
        return self.test_set

    def runs(self, system: str) -> list[Text]:
        """Return the outputs of a system, a single one as a list too."""
        outputs = self.systems[system]
        return [outputs] if isinstance(outputs, Text) else list(outputs)

    @property
    def fields(self) -> tuple[str, ...]:
        """What can be read as ``PATH::FIELD``, for `text`."""
        test_set = self.test_set
        return (
            *(name for name, key in OPTIONAL.items() if getattr(test_set, key, None) is not None),
            *(f"ref.{name}" for name in self.reference_names),
            *(f"system.{name}" for name in self.systems),
            *(f"column.{name}" for name in (test_set.columns if test_set else ())),
        )

    def text(self, field: str) -> Text:
        """Return a text of the data set.

        Parameters
        ----------
        field : str
            ``source``, ``docs``, ``domains``, ``ids``, ``ref.NAME``, ``column.NAME``,
            ``system.NAME``, or for the second run of a system ``system.NAME.2``.

        Raises
        ------
        InputError
            If there is no such text.
        """
        kind, _, name = field.partition(".")
        if kind == "system":
            pairs = ((one, run) for one in self.systems for run in enumerate(self.runs(one), 1))
            runs = {f"{one}.{k}": text for one, (k, text) in pairs}
            output = runs.get(f"{name}.1", runs.get(name))
            if output is not None:
                return output
        if field not in self.fields:
            where = self.path or "the data set"
            raise InputError(f"{where}: no text {field!r}.{near(field, self.fields)}")
        test_set = self.texts
        if kind == "ref":
            return test_set.references[self.reference_names.index(name)]
        if kind == "column":
            return test_set.columns[name]
        found: Text | tuple[str, ...] = getattr(test_set, OPTIONAL[field])
        if isinstance(found, Text):
            return found
        return replace(Text.of(found), path=f"{self.path}{MARK}{field}")

    def with_addresses(self, path: str) -> Dataset:
        """Give every text an address, where it has no file of its own.

        Parameters
        ----------
        path : str
            What the data set was read from.
        """

        def at(text: Text, field: str) -> Text:
            return text if text.path else replace(text, path=f"{path}{MARK}{field}")

        def outputs(system: str) -> Text | Sequence[Text]:
            first, *more = self.runs(system)
            field = f"system.{system}"
            later = [at(text, f"{field}.{k}") for k, text in enumerate(more, 2)]
            return [at(first, field), *later] if later else at(first, field)

        test_set = self.test_set
        if test_set is not None:
            streams = zip(test_set.references, self.reference_names, strict=True)
            test_set = replace(
                test_set,
                references=tuple(at(stream, f"ref.{name}") for stream, name in streams),
                source=test_set.source and at(test_set.source, "source"),
                documents_path=test_set.documents_path or f"{path}{MARK}docs",
                columns={n: at(column, f"column.{n}") for n, column in test_set.columns.items()},
            )
        systems = {system: outputs(system) for system in self.systems}
        return replace(self, test_set=test_set, systems=systems, path=path)
