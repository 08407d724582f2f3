"""Locate models: in a folder that the user names, or in the cache of the Hugging Face hub.

Nothing is downloaded. The hooks import this module, so it imports no library.
"""

from __future__ import annotations

import os
from pathlib import Path

from mteval_core import PluginError

__all__ = ["Model", "checkpoint_in", "comet_checkpoint", "encoder_folder"]


class Model(str):
    """The folder of a model, with the name that signatures have."""

    name: str

    @classmethod
    def at(cls, folder: Path, name: str = "") -> Model:
        """Name a folder; by default, its own name."""
        model = cls(folder)
        model.name = name or folder.resolve().name
        return model


def encoder_folder(given: str) -> Model:
    """Find the encoder of BERTScore.

    Raises
    ------
    PluginError
        If it is not there.
    """
    model = find(given or "roberta-large")
    if not (Path(model) / "config.json").is_file():
        raise PluginError(
            f"{model}: no config.json; expected the folder of a model of transformers"
        )
    return model


def comet_checkpoint(given: str, default: str) -> Model:
    """Find a COMET model: its folder with ``hparams.yaml`` and ``checkpoints/*.ckpt``.

    Raises
    ------
    PluginError
        If it is not there.
    """
    given = given or default
    path = Path(given)
    # A checkpoint is loaded together with the settings two folders above.
    model = Model.at(path.absolute().parents[1]) if path.suffix == ".ckpt" else find(given)
    if not (Path(model) / "hparams.yaml").is_file():
        raise PluginError(
            f"{model}: no hparams.yaml; expected the folder of a COMET model, with hparams.yaml "
            f"and checkpoints/model.ckpt"
        )
    found = checkpoint_in(model)
    if path.suffix == ".ckpt" and found.name != path.name:
        raise PluginError(f"{given}: no such file; {found.parent} has {found.name}")
    return model


def checkpoint_in(model: str) -> Path:
    """Return the checkpoint of a COMET model.

    Raises
    ------
    PluginError
        If there is not exactly one.
    """
    folder = Path(model) / "checkpoints"
    found = sorted(folder.glob("*.ckpt"))
    if len(found) != 1:
        listed = ", ".join(path.name for path in found) or "none"
        raise PluginError(f"{folder}: expected one .ckpt file, found {listed}")
    return found[0]


def find(given: str) -> Model:
    """Find the folder of a model, by its path or by its name in the hub.

    Raises
    ------
    PluginError
        If it is not there.
    """
    if Path(given).is_dir():
        return Model.at(Path(given))
    name = given.rpartition("/")[2]
    repositories = [
        path
        for path in cache().glob(f"models--*{glob_escape(name)}")
        if path.name == f"models--{given.replace('/', '--')}"
        or ("/" not in given and path.name.endswith(f"--{name}"))
    ]
    snapshots = [snapshot(path) for path in sorted(repositories)]
    if len(snapshots) != 1:
        seen = (
            f"{len(snapshots)} models of this name are" if snapshots else "no such folder, and not"
        )
        raise PluginError(
            f"{given}: {seen} in {cache()}. Give a folder, model=PATH, or download the model with: "
            f'python -c "from huggingface_hub import snapshot_download; '
            f"snapshot_download('{given}')\""
        )
    return Model.at(snapshots[0], name)


def glob_escape(name: str) -> str:
    """Return a pattern that matches a name and nothing else."""
    from glob import escape

    return escape(name)


def cache() -> Path:
    """Return the folder in which the hub keeps models."""
    home = os.environ.get("HF_HOME") or "~/.cache/huggingface"
    return Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub").expanduser()


def snapshot(repository: Path) -> Path:
    """Return the folder of the main revision of a downloaded model.

    Raises
    ------
    PluginError
        If the download is not complete.
    """
    main = repository / "refs" / "main"
    revision = main.read_text().strip() if main.is_file() else ""
    folder = repository / "snapshots" / revision
    if not (revision and folder.is_dir()):
        raise PluginError(
            f"{repository}: the main revision of the model is not there; download it again"
        )
    return folder
