"""The page in Chromium: it opens from disk, sorts, filters, follows the keyboard, says nothing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from mteval_html_report import data

import mteval_core as mt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not (CHROMIUM and DRIVER):
    pytest.skip("chromium or chromedriver is not installed", allow_module_level=True)

HOSTILE = "</script><img src=x onerror=alert(1)> a\u202eb nul\x00 👩‍🚀 مرحبا שלום"
LONG = "word " * 200_000
SYSTEMS = {
    "A": [HOSTILE, "the cat sat", LONG, *(f"a{i} b" for i in range(200))],
    "<b>B</b>": ["a dog", "the dog sat down", "x", *(f"a{i} c" for i in range(200))],
    "C": ["c"] * 203,
}
REFERENCE = [HOSTILE, "the cat sat down", LONG, *(f"a{i} c" for i in range(200))]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox", "--window-size=1400,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module", params=["raw", "compressed"])
def opened(
    request: pytest.FixtureRequest,
    browser: Any,
    registry: mt.Registry,
    tmp_path_factory: pytest.TempPathFactory,
) -> Any:
    """Open a page of hostile texts, whose data is compressed or not."""
    scored = mt.evaluate(SYSTEMS, [REFERENCE], ["shared", "lacking"], registry=registry)
    compared = scored.confidence(50, registry=registry).compare(all_pairs=True, registry=registry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "LARGE", 0 if request.param == "compressed" else 10**9)
        written = str(mt.write_report(compared, "html"))
    path: Path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(written, encoding="utf-8")
    browser.get("about:blank")
    browser.get(path.as_uri())
    wait(browser)
    return browser


def wait(browser: Any) -> None:
    script = "const done = arguments[0]; const f = () => document.body.dataset.ready ? done() : "
    browser.execute_async_script(script + "setTimeout(f, 10); f();")


def texts(browser: Any, selector: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
    found: list[str] = browser.execute_script(script, selector)
    return found


def press(browser: Any, key: str) -> None:
    script = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], "
    browser.execute_script(script + "bubbles: true}))", key)


def click(browser: Any, selector: str) -> None:
    browser.execute_script("document.querySelector(arguments[0]).click()", selector)


def test_it_opens_from_disk_and_says_nothing(opened: Any) -> None:
    assert texts(opened, "h1") == ["Scores"]
    assert opened.get_log("browser") == []
    assert texts(opened, "#count") == ["203 of 203 segments"]
    # Only the rows in sight exist.
    assert 10 < len(texts(opened, "#list tbody button")) < 100


def test_tables_are_sorted_by_any_column(opened: Any) -> None:
    names = "#tables tbody th"
    click(opened, "#tables th:nth-child(2) button")
    assert texts(opened, names) == ["A", "<b>B</b>", "C"]
    click(opened, "#tables th:nth-child(2) button")
    assert texts(opened, names) == ["C", "<b>B</b>", "A"]
    script = "return [...document.querySelectorAll('#tables thead th')].map((e) => e.ariaSort)"
    assert opened.execute_script(script) == ["none", "ascending", "none"]


def test_hostile_text_is_shown_as_text(opened: Any) -> None:
    opened.execute_script("location.hash = '#m=shared&a=A&b=C&s=number&n=0'")
    opened.execute_async_script("setTimeout(arguments[0], 50)")
    (reference, output, _) = texts(opened, "#shown .text")
    shown = HOSTILE.replace("\u202e", "⟨U+202E⟩").replace("\x00", "⟨U+0000⟩")
    assert (reference, output) == (shown, shown)
    assert opened.execute_script("return document.images.length") == 0
    opened.execute_script("location.hash = '#m=shared&a=A&b=C&s=number&n=2'")
    opened.execute_async_script("setTimeout(arguments[0], 50)")
    assert texts(opened, "#shown .text")[1] == LONG
    assert opened.get_log("browser") == []


def test_keys_open_sort_and_keep_the_state_in_the_address(opened: Any) -> None:
    opened.execute_script("location.hash = '#m=shared&a=A&b=%3Cb%3EB%3C%2Fb%3E&s=number'")
    opened.execute_async_script("setTimeout(arguments[0], 50)")
    for key in ("j", "j", "j", "k", "s", "s", "s"):
        press(opened, key)
    assert texts(opened, "#title") == ["Segment 1"]
    state = parse_qs(opened.execute_script("return location.hash.slice(1)"))
    expected = {"m": "shared", "a": "A", "b": "<b>B</b>", "s": "difference", "n": "1"}
    assert state == {key: [value] for key, value in expected.items()}
    opened.refresh()
    wait(opened)
    assert texts(opened, "#title") == ["Segment 1"]
    assert texts(opened, "#list .here button") == ["1"]
    script = "return [...document.querySelectorAll('#list thead th')].map((e) => e.ariaSort)"
    assert opened.execute_script(script) == ["none", "none", "none", "ascending", None]
    assert texts(opened, "#shown .row mark.m3.only") == ["cat"]
    assert texts(opened, "#shown .row:nth-of-type(3) mark") == ["the", "dog", "sat", "down"]
    press(opened, "?")
    assert opened.execute_script("return document.querySelector('#keys').open")
    click(opened, "#close")


def test_the_filter_finds_texts(opened: Any) -> None:
    press(opened, "/")
    opened.switch_to.active_element.send_keys("cat sat")
    assert texts(opened, "#count") == ["1 of 203 segments"]
    assert texts(opened, "#list tbody button") == ["1"]
    opened.switch_to.active_element.send_keys("\ue00c")  # Escape leaves the field as it is
    assert opened.execute_script("return document.querySelector('#query').value") == "cat sat"
    assert opened.switch_to.active_element.tag_name == "body"
    press(opened, "/")
    opened.switch_to.active_element.clear()
    opened.execute_script("document.querySelector('#query').oninput()")
    assert texts(opened, "#count") == ["203 of 203 segments"]


@pytest.mark.parametrize("width", [390, 800, 1400])
def test_no_width_scrolls_sideways(opened: Any, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width


def test_it_prints_everything_that_is_folded(opened: Any) -> None:
    script = "return document.querySelectorAll('details:not([open])').length"
    folded = opened.execute_script(script)
    assert folded > 0
    opened.execute_script("window.dispatchEvent(new Event('beforeprint'))")
    assert opened.execute_script(script) == 0
    assert len(texts(opened, "#scores td")) == 2 * len(SYSTEMS)
    assert len(texts(opened, "#others .row")) == 1
    opened.execute_script("window.dispatchEvent(new Event('afterprint'))")
    assert opened.execute_script(script) == folded
    assert opened.get_log("browser") == []


def test_j_scrolls_to_the_segment_and_the_list_has_all_the_room_before(opened: Any) -> None:
    opened.get(opened.current_url.partition("#")[0] + "#s=number")
    opened.refresh()
    wait(opened)
    widths = "return [...document.querySelectorAll('#list, .panes')].map((e) => e.offsetWidth)"
    panes, listed = opened.execute_script(widths)
    assert listed == panes
    opened.execute_script("scrollTo(0, 0)")
    press(opened, "j")
    panes, listed = opened.execute_script(widths)
    assert listed < panes
    top, bottom, height = opened.execute_script(
        "const { top, bottom } = document.querySelector('#title').getBoundingClientRect();"
        "return [top, bottom, innerHeight]"
    )
    assert 0 <= top < bottom <= height
