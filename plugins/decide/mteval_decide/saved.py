"""Saved reports: reading what the format ``json`` writes."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mteval_core import (
    Address,
    InputError,
    Option,
    Signature,
    Spec,
    Text,
    UnknownNameError,
    UsageError,
    metric,
    open_binary,
)
from mteval_decide.form import check_report

if TYPE_CHECKING:
    from mteval_core import Files, Registry, Scorer, TestSet

__all__ = [
    "Record",
    "SavedReport",
    "blamed_on_the_report",
    "read_bounded",
    "recorded",
    "recorded_files",
]

Record = Mapping[str, Any]
"""One record of a report, as `mteval_core.Evaluation.to_dict` makes it."""

MOST_BYTES = 1 << 28
"""Largest size of a report in bytes: what JSON holds takes ten times as much memory."""

MOST_DIGITS = 20
"""Longest whole number in a report."""


class SavedReport(dict[str, Any]):
    """What the format ``json`` has written: version, inputs, records and comparisons."""

    @classmethod
    def read(cls, path: str) -> SavedReport:
        """Read a report.

        Raises
        ------
        InputError
            If the file cannot be read or does not hold a report.
        """
        report = read_json(path, "what 'mteval score -f json' writes")
        if isinstance(report, dict) and "experiment" in report:
            raise InputError(
                f"{path}: a report of another command ({report['experiment']}); expected what "
                f"'mteval score -f json' writes"
            )
        try:
            check_report(report)
        except InputError as error:
            raise InputError(f"{path}: not a report of mteval: {error}") from None
        return cls(report)

    def texts(
        self,
        files: Files,
        *,
        references: Sequence[Address] = (),
        systems: Mapping[str, Sequence[Address]] | None = None,
        source: Address | None = None,
        documents: Address | None = None,
    ) -> tuple[TestSet, dict[str, list[Text]]]:
        """Read the texts of the report, from the paths given or else from those recorded.

        Parameters
        ----------
        files : Files
            Reads the texts.
        references : sequence of Address
            Addresses of the references; empty for the recorded ones.
        systems : mapping of str to sequence of Address, optional
            Addresses of the runs of systems that have moved.
        source, documents : Address, optional
            Addresses of the source and of the document ids. Default: the recorded ones.

        Returns
        -------
        (TestSet, dict of str to list of Text)
            The references, and the runs of each system.

        Raises
        ------
        InputError
            If an input was no file, or cannot be read.
        UnknownNameError
            If you give a path for a system that the report does not have.
        """
        inputs, moved = self["inputs"], systems or {}
        for name in moved:
            if name not in inputs["systems"]:
                nearest = UnknownNameError.near(name, inputs["systems"])
                raise UnknownNameError(f"the report has no system {name!r}.{nearest}")
        streams = references or list(map(recorded, inputs["references"]))
        outputs = {
            name: moved.get(name) or list(map(recorded, runs))
            for name, runs in inputs["systems"].items()
        }
        first, *_ = outputs.values()
        test_set = files.test_set(
            streams,
            source=source or (recorded(inputs["source"]) if inputs["source"] else None),
            documents=documents or (recorded(inputs["docs"]) if inputs["docs"] else None),
            size=None if streams else len(files.text(first[0])),
        )
        hashes = {each["hash"] for each in inputs["references"]}
        scored = tuple(as_scored(stream, hashes) for stream in test_set.references)
        fields = {name: recorded(one) for name, one in inputs.get("columns", {}).items()}
        columns = files.values(fields, test_set)
        return replace(test_set, references=scored, columns=columns), {
            name: [self.output(name, address, files, test_set) for address in addresses]
            for name, addresses in outputs.items()
        }

    def output(self, system: str, address: Address, files: Files, test_set: TestSet) -> Text:
        """Read the output of a system, with the fields of its file that are recorded as columns."""
        first, *_ = self["inputs"]["systems"][system]
        fields = {
            name: Address.parse(one["path"])._replace(path=address.path)
            for name, one in first.get("columns", {}).items()
            if one["path"]  # the columns of a data set come with the output
        }
        output = files.output(address, test_set)
        return replace(output, columns={**output.columns, **files.values(fields, test_set)})

    def scorers(
        self,
        registry: Registry,
        outside: Mapping[str, Scorer] | None = None,
        settings: Sequence[Spec] = (),
    ) -> dict[str, Scorer]:
        """Configure the metrics as their signatures say, by the spec that the report names them by.

        Parameters
        ----------
        registry : Registry
            Where to look the metrics up.
        outside : mapping of str to Scorer, optional
            Those that are scores of another program.
        settings : sequence of Spec, optional
            Names of metrics with options that are not signed, such as a device. The others have
            their defaults.

        Raises
        ------
        InputError
            If a metric cannot be configured like that.
        UsageError
            If there is no metric of a name in the settings, or an option of them is signed.
        """
        systems = self["inputs"]["systems"]
        # References scored as systems are not jackknifed, so the signatures of systems come first.
        records = sorted(self["records"], key=lambda record: record["system"] not in systems)
        signatures: dict[str, str] = {}
        for record in records:
            signatures.setdefault(record["metric"], record["signature"])
        given = outside or {}
        with blamed_on_the_report(), Option.moved_files(recorded_files(self["inputs"])):
            scorers = {
                spec: given.get(spec)
                or replace(
                    metric(without_draw_fields(signature), registry=registry), spec=Spec.parse(spec)
                )
                for spec, signature in signatures.items()
            }
        for one in settings:
            scorers |= with_settings(one, scorers, registry)
        return scorers


def with_settings(
    settings: Spec, scorers: Mapping[str, Scorer], registry: Registry
) -> dict[str, Scorer]:
    """Configure the metrics of a name with options that are not signed.

    Raises
    ------
    UsageError
        If there is no such metric, or an option is signed.
    """
    ours = {spec: one for spec, one in scorers.items() if not one.setup.outside}
    named = {spec: one for spec, one in ours.items() if settings.name in one.declaration.names}
    if not named:
        known = [name for one in ours.values() for name in one.declaration.names[:1]]
        nearest = UnknownNameError.near(settings.name, known)
        raise UnknownNameError(
            f"--set {settings}: no metric {settings.name!r} is computed.{nearest}"
        )
    if not settings.options:
        raise UsageError(f"--set {settings}: expected METRIC:KEY=VALUE")
    for one in named.values():
        unsigned = {option.key for option in one.declaration.options if not option.signed}
        for key in settings.options.keys() - unsigned:
            raise UsageError(
                f"--set {settings}: {key!r} is no option that can be set; expected one that is not "
                f"signed: {', '.join(sorted(unsigned)) or 'the metric has none'}"
            )
    keywords: dict[str, Any] = {
        key.replace("-", "_"): "+".join(items) for key, items in settings.options.items()
    }
    return {
        spec: replace(metric(str(one.signature()), registry=registry, **keywords), spec=one.spec)
        for spec, one in named.items()
    }


def read_json(path: str, expected: str) -> Any:
    """Read a file of JSON without repeated keys, and with numbers that are finite.

    Parameters
    ----------
    path : str
        The file.
    expected : str
        What the file should be, for messages.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    data = read_bounded(path)
    try:
        return json.loads(
            data, object_pairs_hook=without_repetition, parse_int=whole, parse_constant=refuse
        )
    except RecursionError:
        raise InputError(f"{path}: nested too deeply; expected {expected}") from None
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); expected {expected}") from None


def check_file(path: str) -> int:
    """Return the size of a regular file: it has an end, and opening it does not wait for a writer.

    Raises
    ------
    InputError
        If it is a directory, device or pipe, or no path at all.
    """
    try:
        status = Path(path).stat()
    except OSError:
        return 0  # whoever opens the file says what is wrong
    except ValueError:
        raise InputError(f"{path!r} cannot be the path of a file") from None
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: not a regular file")
    return status.st_size


def read_bounded(path: str) -> bytes:
    """Read a file that is not too large for a report."""
    size = check_file(path)
    if size > MOST_BYTES:
        raise InputError(f"{path}: {size:,} bytes; a report has at most {MOST_BYTES:,}")
    # Files of the system can be longer than their size.
    with open_binary(path) as stream:
        return stream.read(MOST_BYTES)


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dictionary of the keys and values of an object."""
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object has the key {repeated[:40]!r} twice")
    return values


def whole(digits: str) -> int:
    """Read a whole number."""
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{constant} is not a number")


# What a report has recorded


@contextmanager
def blamed_on_the_report() -> Iterator[None]:
    """Turn a request that is not valid into an error of the report, which makes the request."""
    try:
        yield
    except UsageError as error:
        raise InputError(f"the report cannot be computed again: {error}") from error


def as_scored(references: Text, recorded: Container[str]) -> Text:
    """Return references with empty ones as missing, if a recorded hash says that they were."""
    pairs = zip(references, references.empty.tolist(), strict=True)
    missing = Text.of([None if is_empty else segment for segment, is_empty in pairs])
    is_recorded = missing.digest.hex in recorded
    return replace(missing, path=references.path) if is_recorded else references


def recorded(source: Mapping[str, Any]) -> Address:
    """Return the address of a recorded input.

    Raises
    ------
    InputError
        If the input was not a file, or is none any more.
    """
    path = source["path"]
    if path is None or path in ("-", "standard input"):
        raise InputError("an input of the report was not a file: give the paths of all inputs")
    address = Address.parse(path)
    if address.path == path or (os.path.lexists(address.path) and not Path(address.path).is_dir()):
        check_file(address.path)
    return address


def recorded_files(inputs: Mapping[str, Any]) -> dict[str, str]:
    """Return where the files of options are, as far as they are still there."""
    return {name: path for name, path in inputs["files"].items() if os.path.lexists(path)}


def without_draw_fields(signature: str) -> str:
    """Remove the fields that say how intervals and p-values were drawn."""
    parsed = Signature.parse(signature)
    fields = {key: items for key, items in parsed.fields.items() if key not in Signature.DRAW}
    return str(Signature(parsed.name, fields))
