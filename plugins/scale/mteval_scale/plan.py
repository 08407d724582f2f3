"""Plans of evaluations whose parts are counted on many machines."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import mteval_core
from mteval_core import InputError, Kept, PluginError, check_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mteval_core import Registry, Scorer, Spec

__all__ = ["Plan", "plan_of"]

Level: TypeAlias = Literal["corpus", "doc", "segment"]


@dataclass(frozen=True)
class Plan:
    """What all parts have in common. Call `plan_of` to make one.

    A plan can be pickled, and written as JSON: `to_json`.

    Parameters
    ----------
    metrics : tuple of str
        The specs of the metrics.
    signatures : tuple of str
        Their signatures, without the data. Every machine must have the same.
    systems : mapping of str to tuple of str
        The systems in their order, the first one the baseline, each with the names of its runs.
    references : tuple of str
        Names of the reference streams.
    source : bool
        Whether there is a source text.
    level : {"corpus", "doc", "segment"}
        What is kept: sums of all segments, sums of each document too, or all rows.
    resamples : int
        Number of resamples of a Poisson bootstrap that are counted; 0 for none.
    seed : int
        Its seed.
    defaults : mapping of str to str
        Values of options for all metrics that do not set them, see `mteval_core.evaluate`.
    """

    metrics: tuple[str, ...]
    signatures: tuple[str, ...]
    systems: Mapping[str, tuple[str, ...]]
    references: tuple[str, ...]
    source: bool = False
    level: Level = "corpus"
    resamples: int = 0
    seed: int = 12345
    defaults: Mapping[str, str] = field(default_factory=dict)

    @property
    def runs(self) -> list[str]:
        """Names of all runs."""
        return [run for runs in self.systems.values() for run in runs]

    @property
    def kept(self) -> Kept:
        """What every part keeps."""
        return Kept(self.level, self.resamples, self.seed)

    def scorers(self, registry: Registry | None = None) -> list[Scorer]:
        """Configure the metrics.

        Raises
        ------
        PluginError
            If metrics have other signatures here than in the plan: another version or model.
        """
        scorers = mteval_core.scorers_of(self.metrics, registry=registry, defaults=self.defaults)
        for scorer, planned in zip(scorers, self.signatures, strict=True):
            here = str(scorer.signature())
            if here != planned:
                raise PluginError(
                    f"{scorer.spec} has the signature {here} here, and {planned} in the plan; "
                    f"install the same versions on all machines"
                )
        return scorers

    @property
    def id(self) -> str:
        """A hash of everything in the plan, in 16 hexadecimal digits."""
        return hashlib.blake2b(self.to_json().encode(), digest_size=8).hexdigest()

    def to_json(self) -> str:
        """Write the plan."""
        return json.dumps(vars(self))

    @classmethod
    def from_json(cls, text: str) -> Plan:
        """Read a plan.

        Raises
        ------
        InputError
            If the text is no plan.
        """
        try:
            fields = json.loads(text)
            plan = cls(
                **{
                    **fields,
                    "systems": {name: names(runs) for name, runs in fields["systems"].items()},
                    **{
                        name: names(fields[name])
                        for name in ("metrics", "signatures", "references")
                    },
                }
            )
            check_values(plan)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InputError(
                f"not a plan of mteval ({error}); expected what Plan.to_json writes"
            ) from None
        return plan


def names(found: object) -> tuple[str, ...]:
    """Return a list of strings as a tuple; raise a `TypeError` if it is something else."""
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise TypeError(f"expected a list of strings, got {found!r:.100}")
    return tuple(found)


def check_values(plan: Plan) -> None:
    """Raise a `ValueError` or `TypeError` if a plan that was read has impossible values."""
    if len(plan.metrics) != len(plan.signatures) or not plan.metrics or not plan.runs:
        raise ValueError("expected metrics, a signature of each, and systems")
    if not isinstance(plan.source, bool):
        raise TypeError(f"the source {plan.source!r:.100}; expected true or false")
    plan.kept.check()
    names([*plan.defaults, *plan.defaults.values()])
    if len({*plan.runs}) < len(plan.runs) or len({*plan.references}) < len(plan.references):
        raise ValueError("two runs, or two references, have the same name")
    for name in (*plan.systems, *plan.runs, *plan.references):
        check_name(name, "name")


def plan_of(
    metrics: Iterable[str | Spec | Scorer] | None,
    systems: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[str],
    *,
    source: bool = False,
    level: Level = "corpus",
    resamples: int = 0,
    seed: int = 12345,
    registry: Registry | None = None,
    defaults: Mapping[str, str] | None = None,
) -> Plan:
    """Plan an evaluation in parts.

    Parameters
    ----------
    metrics : iterable of str or Spec, optional
        The metrics. Default: those that declare themselves part of the default set.
    systems : sequence of str, or mapping of str to sequence of str
        Names of the systems, the baseline first; or of systems and their runs.
    references : sequence of str
        Names of the reference streams.
    source, level, resamples, seed
        See `Plan`.
    registry : Registry, optional
        Where to look the metrics up. Default: everything that is installed.
    defaults : mapping of str to str, optional
        As for `evaluate`.

    Raises
    ------
    UsageError
        If a metric cannot be computed in parts, or a setting is not valid.

    Examples
    --------
    >>> plan_of(["chrf"], ["A", "B"], ["ref"], resamples=1000).metrics
    ('chrf',)
    """
    scorers = mteval_core.scorers_of(metrics, registry=registry, defaults=defaults)
    if not isinstance(systems, Mapping):
        systems = {name: [name] for name in systems}
    plan = Plan(
        metrics=tuple(str(scorer.spec) for scorer in scorers),
        signatures=tuple(str(scorer.signature()) for scorer in scorers),
        systems={name: tuple(runs) for name, runs in systems.items()},
        references=tuple(references),
        source=source,
        level=level,
        resamples=resamples,
        seed=seed,
        defaults=dict(defaults or {}),
    )
    plan.kept.check_scorers(scorers, n_references=len(plan.references), source=source)
    return plan
