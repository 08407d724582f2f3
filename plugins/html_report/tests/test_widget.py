"""The widget: its page, and the segment that it shares with Python, without a notebook."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import mteval_core as mt

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("anywidget", reason="the extra 'notebook' is not installed")

from mteval_html_report.widget import ReportWidget  # needs anywidget

HARNESS = """<!doctype html><body><script type="module">
const state = {state};
const told = {{}};
const model = {{
  get: (key) => state[key],
  set: (key, value) => {{ state[key] = value; }},
  save_changes: () => {{ document.body.dataset.saved = state.segment; }},
  on: (event, call) => {{ told[event] = call; }},
  off: () => {{}},
}};
const source = new Blob([{source}], {{ type: "text/javascript" }});
const widget = (await import(URL.createObjectURL(source))).default;
widget.render({{ model, el: document.body }});
const frame = document.querySelector("iframe");
const shown = () => frame.contentDocument?.querySelector("#title")?.textContent ?? "";
const wait = () => new Promise((then) => setTimeout(then, 20));
const until = async (done) => {{ while (!done()) await wait(); }};
await until(() => shown().startsWith("Segment 1"));
document.body.dataset.first = shown();
state.segment = 2;
told["change:segment"]();
await until(() => shown().startsWith("Segment 2"));
document.body.dataset.second = shown();
const key = new frame.contentWindow.KeyboardEvent("keydown", {{ key: "k", bubbles: true }});
frame.contentDocument.body.dispatchEvent(key);
await until(() => document.body.dataset.saved === "1");
</script></body>"""
"""A page that does what a notebook does: it sets the segment, and waits until it is told one."""


@pytest.fixture
def widget(registry: mt.Registry) -> Any:
    systems = {"A": ["a", "b", "c"], "B": ["a", "x", "y"]}
    evaluation = mt.evaluate(systems, [["a", "b", "c"]], ["shared"], registry=registry)
    return ReportWidget(evaluation, segment=1)


def test_the_page_is_the_report_and_traits_have_defaults(widget: Any) -> None:
    assert "<title>" in widget.page
    assert 'id="browser"' in widget.page
    assert (widget.height, widget.segment) == (700, 1)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_the_segment_is_that_of_the_page_both_ways(widget: Any, tmp_path: Path) -> None:
    def script(value: object) -> str:
        return json.dumps(value).replace("</", "<\\/")

    state = {"page": widget.page, "height": 300, "segment": widget.segment}
    esm = ReportWidget._esm
    source = str(esm) if not hasattr(esm, "read_text") else esm.read_text("utf-8")
    page = tmp_path / "page.html"
    page.write_text(HARNESS.format(state=script(state), source=script(source)), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--allow-file-access-from-files", "--virtual-time-budget=5000", page.as_uri()]
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    for found in ('data-first="Segment 1', 'data-second="Segment 2', 'data-saved="1"'):
        assert found in dumped
