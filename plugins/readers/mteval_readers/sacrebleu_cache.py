"""Test sets that sacreBLEU has downloaded, ``sacrebleu:NAME/PAIR``.

sacreBLEU keeps them in the folder that the environment variable ``SACREBLEU`` names, by default
``~/.sacrebleu``. Each field is a file of lines, such as ``wmt22/wmt22.en-de.ref-A``. Nothing is
downloaded here.
"""

from __future__ import annotations

import os
from glob import escape
from pathlib import Path

import mteval_core

ABOUT_DOCUMENTS = ("docid", "genre", "origlang", "domain")
"""Fields that are neither texts nor systems."""


def read(path: str) -> mteval_core.Dataset:
    """Read a test set.

    Parameters
    ----------
    path : str
        Name and language pair, such as ``wmt20/en-de`` or ``wmt21/systems/en-de``.

    Returns
    -------
    Dataset
        With all references. sacreBLEU itself chooses one if there are several.

    Raises
    ------
    mteval_core.InputError
        If the test set is not in the cache; the message says how to download it.
    """
    name, _, pair = path.rpartition("/")
    cache = Path(os.environ.get("SACREBLEU") or Path.home() / ".sacrebleu")
    start = f"{name.replace('/', '_')}.{pair}."
    files = {
        file.name.removeprefix(start): str(file)
        for file in sorted((cache / name).glob(f"{escape(start)}*"))
    }
    references = {
        field.removeprefix("ref-"): file
        for field, file in files.items()
        if field == "ref" or field.startswith("ref-")
    }
    if not (references and "src" in files):
        command = f"sacrebleu -t {name or 'NAME'} -l {pair} --echo src"
        raise mteval_core.InputError(
            f"sacrebleu:{path}: not in {cache}: type '{command}', which downloads it, or set "
            f"SACREBLEU to the folder that has it"
        )
    names = mteval_core.read_text(files["docid"], plain=False) if "docid" in files else ()
    documents = tuple(map(str, names)) if any(names) else None
    domains = mteval_core.read_text(files["domain"], plain=False) if "domain" in files else ()
    systems = {
        field: mteval_core.read_text(file)
        for field, file in files.items()
        if not field.startswith(("src", "ref")) and field not in ABOUT_DOCUMENTS
    }
    return mteval_core.Dataset(
        test_set=mteval_core.TestSet(
            tuple(mteval_core.read_text(file) for file in references.values()),
            documents=documents,
            documents_path=files.get("docid"),
            source=mteval_core.read_text(files["src"]),
            domains=tuple(map(str, domains)) if any(domains) else None,
        ),
        systems=systems,
        reference_names=tuple(references),
        language=pair.partition("-")[2],
    )
