"""Very many expressions against rows that lie with several actors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from .. import _native
from ._rows import Actors, Worker, parts_of, table_of


class _Rows(Worker):
    """Some of the rows, laid out."""

    def __init__(self, parts: list[Any], jobs: int, device: str | None, target: str | None, bag: str | None) -> None:
        self._native = _native.Evaluator(table_of(parts), target, bag, False, jobs, device)

    def classes(self) -> list[str]:
        return self._native.classes

    def counts(self, expressions: list[str]) -> tuple[np.ndarray, list[str | None]]:
        return self._native.counts(expressions)


class Engine:
    """Very many expressions against rows that lie with several actors.

    ``source`` is a list of Parquet files or of frames, each handed to an actor, or a Ray Dataset. ``target`` and ``bag`` are columns; all rows
    of a bag must be in one part. ``workers`` actors share the parts, by default one for each; every one has ``num_cpus`` cores
    and ``num_gpus`` GPUs, which Ray places.
    """

    def __init__(
        self,
        source: Any,
        *,
        target: str | None = None,
        bag: str | None = None,
        workers: int | None = None,
        num_cpus: int = 1,
        num_gpus: float = 0,
    ) -> None:
        self._actors = Actors(_Rows, parts_of(source), workers, num_cpus, num_gpus, target, bag)
        self._of_actor: list[list[str]] = self._actors.ask("classes")
        self._classes = _sorted({name for classes in self._of_actor for name in classes})

    @property
    def classes(self) -> list[str]:
        """What the counts are of, in their order."""
        return list(self._classes)

    def evaluate(self, expressions: Sequence[str]) -> np.ndarray:
        """How many examples of each class every expression holds for, as :meth:`pellucid.Engine.evaluate` counts them."""
        answers = self._actors.ask("counts", ray.put(list(expressions)))
        total = np.zeros((len(expressions), len(self._classes)), dtype=np.uint64)
        for classes, (counts, wrong) in zip(self._of_actor, answers):
            for place, why in enumerate(wrong):
                if why is not None:
                    raise ValueError(f"expression {place} ({expressions[place]!r}): {why}")
            total[:, [self._classes.index(name) for name in classes]] += counts
        return total

    def processes(self) -> list[int]:
        """The process of each actor, for whoever watches them."""
        return self._actors.ask("process")

    def close(self) -> None:
        """Ends the actors."""
        self._actors.close()


def _sorted(names: set[str]) -> list[str]:
    """Classes in the order of one table: by value if all are numbers, otherwise by text."""
    try:
        return sorted(names, key=lambda name: (float(name), name))
    except ValueError:
        return sorted(names)
