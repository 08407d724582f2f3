"""Data in a page: JSON that the parser of HTML takes for text, compressed if it is long."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from typing import NamedTuple

from markupsafe import Markup

__all__ = ["Packed", "packed"]

LARGE = 2_000_000
"""Longer JSON, in bytes, is compressed."""

ESCAPES = str.maketrans({c: f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029\x7f"})
"""Characters that HTML or old scripts read in their own way; in JSON they are only in strings."""


class Packed(NamedTuple):
    """The content of an element that holds data, and its type."""

    type: str
    content: Markup


def packed(value: object) -> Packed:
    r"""Write a value as escaped JSON, or if that is long, as Base64 of JSON in gzip.

    Examples
    --------
    >>> packed(["</script>"])
    Packed(type='application/json', content=Markup('["\\u003c/script\\u003e"]'))
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    encoded = text.encode(errors="backslashreplace")
    if len(encoded) <= LARGE:
        return Packed("application/json", Markup(encoded.decode().translate(ESCAPES)))
    pressed = gzip.compress(encoded, 9, mtime=0)
    return Packed("application/gzip", Markup(b64encode(pressed).decode()))
