"""Reader of the constants in a compiled Java class: of its fields and of its static initializer.

References
----------
The Java Virtual Machine Specification, chapters 4 (the class file) and 6 (the instructions).
"""

from __future__ import annotations

from struct import unpack_from
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_constants"]

Constants = dict[str, Any]

UTF8, INTEGER, FLOAT, LONG, DOUBLE = 1, 3, 4, 5, 6
NUMBERS = {INTEGER: ">i", FLOAT: ">f", LONG: ">q", DOUBLE: ">d"}
ONE_INDEX = (7, 8, 16, 19, 20)
METHOD_HANDLE = 15

DCONST_0, DCONST_1, LDC2_W, PUTSTATIC = 14, 15, 20, 179
LENGTHS = {16: 2, 18: 2, 188: 2, **dict.fromkeys((17, 19, 20, 178, 179, 183, 184, 187, 189), 3)}
"""Lengths of the instructions longer than one byte that an initializer without branches uses."""


def read_constants(data: bytes) -> tuple[Constants, dict[str, list[float]]]:
    """Read the values of the static fields of a class.

    Parameters
    ----------
    data : bytes
        The class file.

    Returns
    -------
    constants : dict
        Value, a number or a string, of every constant field.
    tables : dict
        For every other static field, the floating-point numbers that the initializer loads before
        it sets the field, in order. An array of arrays is flat.
    """
    pool, position = _pool(data)
    (n_interfaces,) = unpack_from(">H", data, position + 6)
    position += 8 + 2 * n_interfaces
    constants: Constants = {}
    tables: dict[str, list[float]] = {}
    for _ in ("fields", "methods"):
        (count,) = unpack_from(">H", data, position)
        position += 2
        for _ in range(count):
            _, name, _, n_attributes = unpack_from(">4H", data, position)
            position += 8
            for _ in range(n_attributes):
                kind, length = unpack_from(">HI", data, position)
                body = data[position + 6 : position + 6 + length]
                position += 6 + length
                if pool[kind] == "ConstantValue":
                    value = pool[unpack_from(">H", body)[0]]
                    constants[pool[name]] = pool[value[0]] if isinstance(value, tuple) else value
                elif pool[kind] == "Code" and pool[name] == "<clinit>":
                    (length,) = unpack_from(">I", body, 4)
                    tables.update(_filled_in(body[8 : 8 + length], pool))
    return constants, tables


def _pool(data: bytes) -> tuple[dict[int, Any], int]:
    """Read the constant pool: strings, numbers, and tuples of indices for all other entries."""
    (count,) = unpack_from(">H", data, 8)
    position, index = 10, 1
    pool: dict[int, Any] = {}
    while index < count:
        tag = data[position]
        if tag == UTF8:
            (length,) = unpack_from(">H", data, position + 1)
            pool[index] = data[position + 3 : position + 3 + length].decode(errors="replace")
            position += 3 + length
        elif tag in NUMBERS:
            (pool[index],) = unpack_from(NUMBERS[tag], data, position + 1)
            position += 9 if tag in (LONG, DOUBLE) else 5
            index += tag in (LONG, DOUBLE)  # these take two entries
        elif tag in ONE_INDEX:
            pool[index] = unpack_from(">H", data, position + 1)
            position += 3
        else:
            pool[index] = unpack_from(">HH", data, position + 1)
            position += 4 if tag == METHOD_HANDLE else 5
        index += 1
    return pool, position


def _filled_in(code: bytes, pool: dict[int, Any]) -> Iterator[tuple[str, list[float]]]:
    """Static fields that an initializer sets, with the numbers it loads for each of them."""
    position = 0
    loaded: list[float] = []
    while position < len(code):
        instruction = code[position]
        if instruction in (DCONST_0, DCONST_1):
            loaded.append(float(instruction - DCONST_0))
        elif instruction == LDC2_W:
            loaded.append(pool[unpack_from(">H", code, position + 1)[0]])
        elif instruction == PUTSTATIC:
            _, name_and_type = pool[unpack_from(">H", code, position + 1)[0]]
            yield pool[pool[name_and_type][0]], loaded
            loaded = []
        position += LENGTHS.get(instruction, 1)
