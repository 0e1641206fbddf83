"""Evaluation of expressions on rows that are distributed over actors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from .. import _native
from ._rows import Actors, Worker, no_rows, parts_of, table_of

# The name and the type of each column of a part. The type of a column without values is None.
_Kinds = list[tuple[str, "str | None"]]


class _Rows(Worker):
    """Worker that evaluates expressions on its rows."""

    def __init__(self, jobs: int, device: str | None, target: str | None, bag: str | None) -> None:
        self._native: _native.Evaluator | None = None
        self._chosen = (target, bag, False, jobs, device)

    def load(self, parts: list[Any]) -> None:
        table = table_of(parts)
        self._native = None if table is None else _native.Evaluator(table, *self._chosen)

    def schema(self) -> tuple[list[str], _Kinds] | None:
        """Return the classes and the types of the columns, or None if there are no rows."""
        return None if self._native is None else (self._native.classes, self._native.kinds)

    def counts(self, expressions: list[str]) -> tuple[np.ndarray, list[str | None]]:
        assert self._native is not None, "actors without rows are stopped"
        return self._native.counts(expressions)


class Engine:
    """Count the examples that expressions cover, on rows that are distributed over actors.

    Parameters
    ----------
    source : list of paths, list of data frames, or ray.data.Dataset
        The parts of the data. Paths are Parquet files. A part may be empty.
    target : str, default=None
        The target column. If None, all examples are counted together.
    bags : str, default=None
        The column that identifies the bag of each row. All rows of a bag must be in the same part.
    workers : int, default=None
        Number of actors, which share the parts. If None, one actor per part, or as many as fit the cluster.
    num_cpus : int, default=1
        Number of CPU cores of each actor.
    num_gpus : float, default=0
        Number of GPUs of each actor.
    """

    def __init__(
        self,
        source: Any,
        *,
        target: str | None = None,
        bags: str | None = None,
        workers: int | None = None,
        num_cpus: int = 1,
        num_gpus: float = 0,
    ) -> None:
        self._actors = Actors(_Rows, parts_of(source), workers, num_cpus, num_gpus, target, bags)
        try:
            schemas = self._actors.ask("schema")
            self._actors.keep([schema is not None for schema in schemas])
            known: list[tuple[list[str], _Kinds]] = [schema for schema in schemas if schema is not None]
            if not known:
                raise no_rows()
            _check_kinds([kinds for _, kinds in known])
        except BaseException:
            self._actors.close()
            raise
        self._actor_classes = [classes for classes, _ in known]
        self._classes = _sort_classes({name for classes in self._actor_classes for name in classes})

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of the columns that :meth:`evaluate` returns."""
        return list(self._classes)

    def evaluate(self, expressions: Sequence[str]) -> np.ndarray:
        """Count the examples of each class that each expression covers.

        Parameters
        ----------
        expressions : sequence of str
            Expressions over the columns, as for :meth:`pellucid.Engine.evaluate`.

        Returns
        -------
        ndarray of shape (n_expressions, n_classes)
            The counts.

        Raises
        ------
        ValueError
            If an expression is invalid.
        """
        answers = self._actors.ask("counts", ray.put(list(expressions)))
        total = np.zeros((len(expressions), len(self._classes)), dtype=np.uint64)
        for classes, (counts, errors) in zip(self._actor_classes, answers):
            for index, error in enumerate(errors):
                if error is not None:
                    raise ValueError(f"expression {index} ({expressions[index]!r}): {error}")
            total[:, [self._classes.index(name) for name in classes]] += counts
        return total

    def processes(self) -> list[int]:
        """Return the process ID of each actor, for tests and monitoring."""
        return self._actors.processes()

    def close(self) -> None:
        """Stop the actors."""
        self._actors.close()


def _check_kinds(parts: list[_Kinds]) -> None:
    """Check that all parts have the same columns with the same types."""
    names = [name for name, _ in parts[0]]
    for kinds in parts[1:]:
        if [name for name, _ in kinds] != names:
            other = ", ".join(name for name, _ in kinds)
            first = ", ".join(names)
            raise ValueError(f"the parts have different columns: one has {first}; another has {other}")
    for index, name in enumerate(names):
        different = {kinds[index][1] for kinds in parts} - {None}
        if len(different) > 1:
            first, other, *_ = sorted(str(kind) for kind in different)
            raise ValueError(f"column {name!r} contains {first} in one part and {other} in another")


def _sort_classes(names: set[str]) -> list[str]:
    """Return classes in the order of a single table: by value if all are numbers, otherwise by text."""
    try:
        return sorted(names, key=lambda name: (float(name), name))
    except ValueError:
        return sorted(names)
