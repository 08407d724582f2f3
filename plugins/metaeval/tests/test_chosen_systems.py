"""Studies of some systems and some segments: left out, outliers, one domain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mteval_metaeval as metaeval
import numpy as np
import pytest
from mteval_metaeval import notes

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Callable

N = 12
HUMAN = np.array([1.0, 1.2, 1.1, 0.9, 9.0])[:, None] + np.arange(N) % 3
DOMAINS = tuple("news" if k < 4 else "chat" for k in range(N))


@pytest.fixture
def measured(columns: mt.Registry, judged: Callable[..., Any]) -> Callable[..., Any]:
    """Study of a metric that equals the human scores up to noise."""
    noisy = HUMAN + np.random.default_rng(1).normal(size=HUMAN.shape)
    systems = {f"s{s}": list(map(repr, row.tolist())) for s, row in enumerate(noisy)}

    def make(domains: Any = None, **more: Any) -> metaeval.Study:
        test_set = mt.TestSet((mt.Text.of(["x"] * N),), domains=domains)
        judgments = judged(HUMAN)
        return metaeval.study_metrics(
            systems, test_set, judgments, ["column:k=0"], registry=columns, **more
        )

    return make


def test_outliers_are_left_out_and_noted(measured: Callable[..., Any]) -> None:
    study = measured(without_outliers=True)
    assert study.systems == ("s0", "s1", "s2", "s3")
    assert notes.LeftOutSystems(("s4",), are_outliers=True) in study.notes
    assert notes.FewSystems(4) in study.notes
    whole = measured()
    assert study.totals[1][0].tolist() == whole.totals[1][0][:4].tolist()
    assert study.item_scores.tolist() == whole.item_scores[:, :4].tolist()


def test_without_outliers_nothing_is_left_out(measured: Callable[..., Any]) -> None:
    study = measured(leave_out=["s4"], without_outliers=True)
    assert study.systems == ("s0", "s1", "s2", "s3")
    assert [note for note in study.notes if note.code != "few-systems"] == [
        notes.LeftOutSystems(("s4",))
    ]


def test_a_domain_is_the_segments_that_it_names(measured: Callable[..., Any]) -> None:
    study = measured(DOMAINS, domain="chat")
    assert study.units == tuple(range(4, N))
    assert notes.OneDomain("chat") in study.notes
    assert study.human_items[0].tolist() == HUMAN[:, 4:].tolist()
    assert study.totals[1][0] == pytest.approx(HUMAN[:, 4:].mean(axis=1))


def test_domains_are_units(measured: Callable[..., Any]) -> None:
    study = measured(DOMAINS, unit="domain")
    whole = measured()
    assert study.units == ("news", "chat")
    halves = [HUMAN[:, :4].mean(axis=1), HUMAN[:, 4:].mean(axis=1)]
    assert study.human_items[0] == pytest.approx(np.stack(halves, axis=1))
    scores = whole.item_scores[0]
    halves = [scores[:, :4].mean(axis=1), scores[:, 4:].mean(axis=1)]
    assert study.item_scores[0] == pytest.approx(np.stack(halves, axis=1))
    assert study.totals[0] == pytest.approx(whole.totals[0])


def test_what_is_not_known_is_refused(measured: Callable[..., Any]) -> None:
    for domains, more, message in (
        (None, {"domain": "chat"}, "domains are not known"),
        (DOMAINS, {"domain": "chta"}, "no domain 'chta'. Did you mean 'chat'?"),
        (DOMAINS, {"domain": "chat", "unit": "domain"}, "compared with each other"),
        (None, {"leave_out": ["s9"]}, "no system 's9' to leave out"),
        (None, {"leave_out": [f"s{k}" for k in range(5)]}, "none of the systems was judged"),
    ):
        with pytest.raises(mt.MtevalError) as error:
            measured(domains, **more)
        assert message in str(error.value)


def test_a_test_set_checks_its_domains() -> None:
    text = mt.Text.of(["a", "b"])
    with pytest.raises(mt.InputError, match="1 domains for 2 segments"):
        mt.TestSet((text,), domains=("news",))
    with pytest.raises(mt.InputError, match="cannot contain"):
        mt.TestSet((text,), domains=("news", "a\nb"))
    data = mt.Dataset(test_set=mt.TestSet((text,), domains=("news", "chat")))
    assert "domains" in data.fields
    assert list(data.text("domains")) == ["news", "chat"]
