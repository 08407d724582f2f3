"""Which arguments of ``mteval correlate`` do not go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mteval_core.commands.correlate_arguments import COEFFICIENTS, OF_COMPARISONS

if TYPE_CHECKING:
    from mteval_core.commands.arguments import Conflict

__all__ = ["CONFLICTS"]

INTERVALS = {"ci_level", "resample", "interval"}
"""Arguments that apply to intervals only."""

CONFLICTS: tuple[Conflict, ...] = (
    (
        "expected references and systems: mteval correlate REF... -i SYS... --human FILE",
        lambda a: not (a.agreement or a.data or (a.references and a.input)),
    ),
    (
        "--agreement compares raters: leave out references, -i, -m and --rename",
        lambda a: a.agreement and (a.references or a.input or a.given & {"metrics", "rename"}),
    ),
    (
        "--agreement uses all judgments, both raw and standardised: leave out --z, --draw and "
        "--min-judgments",
        lambda a: a.agreement and (a.z or a.draw or a.min_judgments > 1),
    ),
    (
        "--agreement uses judgments alone: leave out --judged-only and --write-ratings",
        lambda a: a.agreement and (a.judged_only or a.write_ratings),
    ),
    (
        "--agreement takes one thread: leave out --threads",
        lambda a: a.agreement and "threads" in a.given,
    ),
    (
        "--draw document applies to the curve: add --curve",
        lambda a: a.draw == "document" and not a.curve,
    ),
    (
        "--pool-refs applies to the curve: add --curve",
        lambda a: not a.curve and a.pool_refs,
    ),
    (
        "--lengths and --documents apply to --curve and --calibrate: add one of them",
        lambda a: not (a.curve or a.calibrate) and (a.lengths or "documents" in a.given),
    ),
    (
        "--calibrate takes one length of pseudo test sets: --lengths N",
        lambda a: a.calibrate and a.lengths and len(a.lengths) > 1,
    ),
    (
        "--calibrate is an experiment of its own: leave out --compare, --choose-refs, --plot and "
        "--plot-pairs",
        lambda a: a.calibrate and (a.compare or a.choose_refs or a.plot or a.plot_pairs),
    ),
    (
        "--calibrate draws pseudo test sets, and no resamples: leave out -n, --resample and "
        "--interval",
        lambda a: a.calibrate and a.given & {"resamples", "resample", "interval"},
    ),
    (
        "--plot takes --level, --curve, --compare or --agreement, but not --table or --choose-refs",
        lambda a: a.plot and (a.table or (a.choose_refs and not a.curve)),
    ),
    (
        "--plot-lines applies to the plot of a curve: add --curve and --plot FILE",
        lambda a: "plot_lines" in a.given and not (a.curve and a.plot),
    ),
    (
        "--plot-pairs compares systems: leave out --level, --table, --curve, --compare, "
        "--choose-refs and --agreement",
        lambda a: (
            a.plot_pairs
            and (
                a.level != "system"
                or a.table
                or a.curve
                or a.compare
                or a.choose_refs
                or a.agreement
            )
        ),
    ),
    (
        "--choose-refs takes --level or --curve, but not --table, --compare or --agreement",
        lambda a: a.choose_refs and (a.table or a.compare or a.agreement),
    ),
    (
        "--choose-refs and --jackknife both choose references: leave one out",
        lambda a: a.choose_refs and a.jackknife,
    ),
    (
        "--compare takes --level, but not --table, --curve or --agreement",
        lambda a: a.compare and (a.table or a.curve or a.agreement),
    ),
    (
        "--test and --two-sided apply to significance tests: add --compare",
        lambda a: not a.compare and (a.test or a.two_sided),
    ),
    (
        "--correct applies to significance tests: add --compare",
        lambda a: not a.compare and "correct" in a.given,
    ),
    (
        "--coefficient applies to --compare, --choose-refs, --curve and --table",
        lambda a: a.coefficient and not (a.compare or a.curve or a.table or a.choose_refs),
    ),
    (
        f"--coefficient {{coefficient}} applies to --compare; expected {', '.join(COEFFICIENTS)}",
        lambda a: a.coefficient in OF_COMPARISONS and (a.curve or a.table),
    ),
    (
        "--coefficient soft compares systems: leave out --level {level}",
        lambda a: a.coefficient == "soft" and a.level != "system",
    ),
    (
        "--coefficient calibrated compares segments: add --level segment, doc or domain",
        lambda a: a.coefficient == "calibrated" and a.level == "system",
    ),
    (
        "--refs-as-systems takes streams of a data set: add --data, or pass the files to -i",
        lambda a: a.refs_as_systems and not a.data,
    ),
    (
        "--level domain compares the domains: leave out --domain",
        lambda a: a.domain and a.level == "domain",
    ),
    (
        "domains need --domains FILE, with the domain of each segment, or --data",
        lambda a: (a.domain or a.level == "domain") and not (a.domains or a.data),
    ),
    (
        "--domains says where domains are: add --domain NAME or --level domain",
        lambda a: a.domains and not (a.domain or a.level == "domain"),
    ),
    (
        "--agreement uses judgments alone: leave out --domain, --domains, --leave-out, "
        "--no-outliers and --refs-as-systems",
        lambda a: (
            a.agreement
            and (a.domain or a.domains or a.leave_out or a.no_outliers or a.refs_as_systems)
        ),
    ),
    (
        "--group applies to segments and documents: add --level segment or --level doc",
        lambda a: a.group and a.level == "system",
    ),
    (
        "--level {level} resamples items of that level: leave out --by",
        lambda a: a.by and a.level != "system",
    ),
    (
        "documents need --docs FILE, with the document id of each segment, or --data",
        lambda a: "doc" in (a.level, a.by) and not (a.docs or a.data),
    ),
    (
        "--agreement draws nothing: leave out -n, --resample, --by, --ci-level, --interval and "
        "--seed",
        lambda a: a.agreement and a.given & {*INTERVALS, "resamples", "by", "seed"},
    ),
    (
        "--curve draws documents, and no resamples: leave out -n, --resample, --by and --interval",
        lambda a: a.curve and a.given & {"resamples", "resample", "by", "interval"},
    ),
    (
        "-n 0 means no intervals: leave out --ci-level, --resample and --interval",
        lambda a: a.resamples == 0 and a.given & INTERVALS,
    ),
    (
        "-n 0 means that nothing is drawn for --table and --compare: leave out --seed",
        lambda a: a.resamples == 0 and (a.table or a.compare) and not a.draw and "seed" in a.given,
    ),
    (
        "--table chooses case and stemmer: leave out --case and --stem",
        lambda a: a.table and (a.case or a.stem),
    ),
)
"""Message and condition of every combination of arguments that is refused."""
