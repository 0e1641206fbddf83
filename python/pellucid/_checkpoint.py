"""Checkpoint files of runs."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _native


def checkpoint_file(
    learner: str,
    path: str | os.PathLike[str] | None,
    table: _native.Table,
    roles: dict[str, Any],
    changed: dict[str, Any],
) -> str | os.PathLike[str] | None:
    """Return the checkpoint file of a run.

    In a folder, every training set and every choice of parameters has its own file. Cross-validation and
    searches train on many of them with one value of ``checkpoint``.
    """
    if path is None or not Path(path).is_dir():
        return path
    text = json.dumps([roles, changed], sort_keys=True, default=str)
    digest = hashlib.sha256(f"{table.fingerprint():016x} {text}".encode()).hexdigest()[:16]
    return Path(path) / f"{learner}-{digest}.checkpoint"


@contextmanager
def checkpoint_advice() -> Iterator[None]:
    """Add advice to the error that a checkpoint belongs to another run."""
    try:
        yield
    except ValueError as error:
        if "belongs to other data" not in str(error):
            raise
        advice = "use a folder as checkpoint, in which each training set has its own file"
        raise ValueError(f"{error}; in cross-validation, {advice}") from None
