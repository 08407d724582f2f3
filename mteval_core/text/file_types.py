"""Recognize files that are not plain text by their first bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mteval_core.errors import InputError, warn

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNATURES = (
    (b"\x1f\x8b", "gzip data", "name it FILE.gz"),
    (b"\xfd7zXZ\x00", "xz data", "name it FILE.xz"),
    (b"(\xb5/\xfd", "Zstandard data", "name it FILE.zst"),
    (b"BZh", "bzip2 data", "decompress it, for instance with bunzip2"),
    (b"PK\x03\x04", "a zip archive (or .docx, .xlsx)", "extract the text"),
    (b"PAR1", "Parquet", "name it FILE.parquet, and choose a column, FILE.parquet::FIELD"),
    (b"%PDF-", "PDF", "extract the text"),
)
"""First bytes of files, what they are, and what to do. Only files with non-text bytes count."""

MOST_LINES = 100
"""Number of lines that are parsed in order to recognize JSON lines."""

CONTROL = rb"[\x00-\x08\x0e-\x1f]"

XML = rb"(?i)<(?:\?xml|!doctype|tmx|xliff)(?:\s|\Z)"
SGML = rb"(?i)<(?:mteval|refset|tstset|srcset|hypset)\b"
ROOT = rb"<([A-Za-z][\w:.-]*)(\s[^<>]*)?>\s*"
CUES = rb"WEBVTT\b|\s*\d+\n(?:[\d:,.]+ --> |\Z)"
MESSAGES = rb'(?:#[^\n]*\n|\s)*(?:msgctxt "[^\n]*\n)?(?:msgid "|\Z)'
SEGMENT = rb"(?i)\s*<seg\b[^>]*>.*</seg>\s*$"

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class RefusedFile(InputError):
    """A file that cannot be read as lines of text.

    Parameters
    ----------
    name : str
        The file.
    code : str
        Stable name of what is wrong.
    reason : str
        What was seen, and what to do.
    line : int, optional
        The line, from 1.
    """

    def __init__(self, name: str, code: str, reason: str, line: int | None = None) -> None:
        super().__init__(name, code, reason, line)  # so that it can be pickled
        self.name: str = name
        self.code, self.reason, self.line = code, reason, line

    def __str__(self) -> str:
        place = f"{self.name}:{self.line}" if self.line else self.name
        return f"{place}: {self.reason}"


class BinaryCheck:
    """Looks for the bytes of archives and other binary formats in a file, piece by piece.

    Parameters
    ----------
    name : str
        The file, for messages.
    """

    def __init__(self, name: str) -> None:
        self.name: str = name
        self.size: int = 0
        self.looks_like: tuple[str, str] | None = None
        self.is_text: bool = True
        self.has_mark: bool = False
        self.zeros: list[int] = [0, 0]

    def see(self, data: bytes) -> None:
        """Look at the next piece of the file."""
        if not self.size:
            found = (rest for start, *rest in SIGNATURES if data.startswith(start))
            self.looks_like = next(((kind, advice) for kind, advice in found), None)
            self.has_mark = data.startswith(UTF16_MARKS)
        if self.looks_like and self.is_text:
            self.is_text = is_text(data)
        if b"\0" in data:
            for k in (0, 1):
                self.zeros[(self.size + k) % 2] += data[k::2].count(0)
        self.size += len(data)

    def refuse(self) -> None:
        """Raise a `RefusedFile` if the file is binary: the end of the file has been seen."""
        if self.looks_like and not self.is_text:
            kind, advice = self.looks_like
            reason = f"looks like {kind}, expected one segment per line: {advice}"
            raise RefusedFile(self.name, "format", reason)
        # In UTF-16 without a mark, at least half of every second byte is zero, and no other.
        if not self.has_mark and max(self.zeros) > max(self.size // 4, 1):
            kind = "binary data" if 4 * min(self.zeros) > max(self.zeros) else "UTF-16"
            reason = f"looks like {kind}: convert it to text in UTF-8, for instance with iconv"
            raise RefusedFile(self.name, "format", reason)


def is_text(data: bytes) -> bool:
    """Whether data is UTF-8 without control characters."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return re.search(CONTROL, data) is None


def refuse_markup(data: bytes, name: str) -> None:
    """Raise a `RefusedFile` if the whole file is JSON, XML, SGML or a table.

    A file counts as such only if all of it does, since a segment may begin with ``{`` or ``<``.
    """
    for kind, matches, advice in MARKUP:
        if matches(data):
            first = data.lstrip()[:40].split(b"\n")[0].decode(errors="ignore")
            reason = (
                f"looks like {kind} (it begins with {first!r}), expected one segment per line: "
                f"{advice}"
            )
            raise RefusedFile(name, "format", reason)


def may_be_markup(data: bytes) -> bool:
    """Whether whole lines may be the beginning of JSON, XML, SGML, a table, or lines with tabs."""
    if data[:100].isspace():
        return len(data) < 100  # what follows may begin in any way
    if begins_json(data) or is_json_lines(data) or is_markup(data, whole=False):
        return True
    return bool(tabs(data, least=0) or re.match(CUES + b"|" + MESSAGES, data))


def warn_of_tabs(data: bytes, name: str) -> None:
    """Warn of a file whose lines all have the same number of tabs."""
    n_tabs = tabs(data)
    if n_tabs:
        message = (
            f"{name}: every line has {n_tabs} tab{'s' * (n_tabs > 1)}. If these are columns of a "
            f"table, select one: name the file FILE.tsv, and type FILE.tsv::FIELD"
        )
        warn("tabs", message)


def is_json(data: bytes) -> bool:
    """Whether the file is one JSON object, or an array of objects, arrays or strings."""
    if not (begins(data, b"{", b"[") and data[-100:].rstrip().endswith((b"}", b"]"))):
        return False
    import json

    try:
        content: object = json.loads(data)
    except (ValueError, RecursionError):
        return False
    if isinstance(content, list):
        return any(isinstance(item, (dict, list, str)) for item in content)
    return bool(content) and isinstance(content, dict)


def begins_json(data: bytes) -> bool:
    """Whether whole lines may be the beginning of JSON: no error is before the last character."""
    if not begins(data, b"{", b"["):
        return False
    import json

    text = data.decode().rstrip()
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text) - 1
    except (ValueError, RecursionError):
        return False
    return True


def is_json_lines(data: bytes) -> bool:
    """Whether every line is a JSON object, or every line a JSON array of strings."""
    if not begins(data, b"{", b"["):
        return False
    rows = [line.strip() for line in complete_lines(data) if line.strip()]
    for start, end in ((b"{", b"}"), (b"[", b"]")):
        if rows and all(row.startswith(start) and row.endswith(end) for row in rows):
            return all(is_json(row) for row in rows[:MOST_LINES])
    return False


def is_markup(data: bytes, *, whole: bool = True) -> bool:
    """Whether the file is one XML or SGML document, or all its lines are SGML segments.

    Unless they are the whole file, whether lines may be the beginning of such a file.
    """
    if not begins(data, b"<"):
        return False
    data = data.strip()
    if whole and not data.endswith(b">"):
        return False
    if re.match(XML, data) or re.match(SGML, data):
        return True
    rows = complete_lines(data)
    root = re.fullmatch(ROOT, rows[0])
    if root:
        end = b"</" + root[1].lower() + b">"
        if not whole or (len(rows) > 1 and rows[-1].lower().endswith(end)):
            return True
    return all(re.match(SEGMENT, row) for row in rows)


def is_subtitles(data: bytes) -> bool:
    """Whether the file is SRT or WebVTT."""
    return b"-->" in data and re.match(CUES, data) is not None


def is_gettext(data: bytes) -> bool:
    """Whether the file has translated messages of gettext."""
    return b"\nmsgstr " in data and re.match(MESSAGES, data) is not None


def is_table(data: bytes) -> bool:
    """Whether all lines have the same tabs, and some column has only cells of one word."""
    if not tabs(data):
        return False
    columns = zip(*(line.split(b"\t") for line in complete_lines(data)[:10_000]), strict=True)
    return any(all(cell and b" " not in cell for cell in column) for column in columns)


def tabs(data: bytes, least: int = 2) -> int:
    """Number of tabs of every line; 0 if it varies, or if there are fewer lines than `least`."""
    n, n_lines = data.count(b"\t", 0, max(data.find(b"\n"), 0)), data.count(b"\n")
    if not n or n_lines < least or data.count(b"\t") != n * n_lines:
        return 0
    return n if all(line.count(b"\t") == n for line in complete_lines(data)) else 0


def begins(data: bytes, *starts: bytes) -> bool:
    """Whether the first characters that are not white space are one of these."""
    return data[:100].lstrip().startswith(starts)


def complete_lines(data: bytes) -> list[bytes]:
    """Split data whose lines all end in a line feed."""
    return data.removesuffix(b"\n").split(b"\n")


MARKUP: tuple[tuple[str, Callable[[bytes], bool], str], ...] = (
    ("JSON", is_json, "name it FILE.json, and choose a field, FILE.json::FIELD"),
    ("JSON lines", is_json_lines, "name it FILE.jsonl, and choose a field, FILE.jsonl::FIELD"),
    (
        "XML or SGML",
        is_markup,
        "read it with --data FILE, named FILE.xml or FILE.sgm, or with --data FORMAT:REF,SYS and "
        "a format of 'mteval list datasets' (not TMX, XLIFF)",
    ),
    ("subtitles (SRT or WebVTT)", is_subtitles, "write the text of each cue to a line"),
    ("messages of gettext (PO)", is_gettext, "write each msgstr to a line"),
    ("a table (TSV)", is_table, "name it FILE.tsv, and choose a column, FILE.tsv::FIELD"),
)
"""Kinds of files, how they are recognized, and what to do."""
