"""Very many expressions against rows that several actors hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from .. import _native
from ._rows import Actors, Worker, no_rows, parts_of, table_of

# The columns of a part and what each holds; None for a column without a single value.
_Kinds = list[tuple[str, "str | None"]]


class _Rows(Worker):
    """Some of the rows, laid out."""

    def __init__(self, jobs: int, device: str | None, target: str | None, bag: str | None) -> None:
        self._native: _native.Evaluator | None = None
        self._chosen = (target, bag, False, jobs, device)

    def load(self, parts: list[Any]) -> None:
        table = table_of(parts)
        self._native = None if table is None else _native.Evaluator(table, *self._chosen)

    def described(self) -> tuple[list[str], _Kinds] | None:
        """The classes and the kinds of the columns; None if there are no rows."""
        return None if self._native is None else (self._native.classes, self._native.kinds)

    def counts(self, expressions: list[str]) -> tuple[np.ndarray, list[str | None]]:
        assert self._native is not None, "actors without rows are not asked"
        return self._native.counts(expressions)


class Engine:
    """Very many expressions against rows that several actors hold.

    ``source`` is a list of Parquet files or of frames, or a Ray Dataset. ``target`` and ``bag`` are columns;
    all rows of a bag must be in one part. ``workers`` actors share the parts, by default one for each part, or
    as many as the cluster has room for; every one has ``num_cpus`` cores and ``num_gpus`` GPUs, which Ray
    places. A part may be empty.
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
        try:
            described = self._actors.ask("described")
            self._actors.keep([one is not None for one in described])
            known: list[tuple[list[str], _Kinds]] = [one for one in described if one is not None]
            if not known:
                raise no_rows()
            _check_kinds([kinds for _, kinds in known])
        except BaseException:
            self._actors.close()
            raise
        self._of_actor = [classes for classes, _ in known]
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
        """The process of each actor, for tests and for people who watch."""
        return self._actors.processes()

    def close(self) -> None:
        """Ends the actors."""
        self._actors.close()


def _check_kinds(parts: list[_Kinds]) -> None:
    """Refuses parts whose columns differ: counts of numbers and of dates do not add up."""
    names = [name for name, _ in parts[0]]
    for kinds in parts[1:]:
        if [name for name, _ in kinds] != names:
            other = ", ".join(name for name, _ in kinds)
            first = ", ".join(names)
            raise ValueError(f"the parts do not fit together: one has columns {first}, another {other}")
    for place, name in enumerate(names):
        met = {kinds[place][1] for kinds in parts} - {None}
        if len(met) > 1:
            first, other, *_ = sorted(str(kind) for kind in met)
            differ = f"column {name!r} holds {first} in one part and {other} in another"
            raise ValueError(f"the parts do not fit together: {differ}")


def _sorted(names: set[str]) -> list[str]:
    """Classes in the order of one table: by value if all are numbers, otherwise by text."""
    try:
        return sorted(names, key=lambda name: (float(name), name))
    except ValueError:
        return sorted(names)
