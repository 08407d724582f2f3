"""Devices that models run on, and output of their libraries."""

from __future__ import annotations

import logging
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mteval_core import PluginError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["chosen_device", "quiet"]

LOGGERS = ("comet", "lightning", "pytorch_lightning", "transformers")


def chosen_device(device: str) -> str:
    """Return where a model runs.

    Raises
    ------
    PluginError
        If there is no such device.
    """
    import torch  # pyright: ignore[reportMissingImports]

    present = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if device == "auto":
        return "cuda" if present["cuda"] else "cpu"
    if not present[device]:
        raise PluginError(f"device={device}: there is no such device here")
    return device


@contextmanager
def quiet() -> Iterator[None]:
    """Leave out the warnings and notes of libraries, which say nothing about scores."""
    loggers = [
        logging.getLogger(name)
        for name in [*logging.root.manager.loggerDict, *LOGGERS]
        if name.partition(".")[0] in LOGGERS
    ]
    levels = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        try:
            yield
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                if logger.level == logging.ERROR:  # the library has not changed it
                    logger.setLevel(level)
