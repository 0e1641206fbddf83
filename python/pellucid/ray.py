"""The engine on many machines, through Ray: an extra (``pip install 'pellucid[ray]'``).

Rows are handed out once and stay with actors; expressions go to all of them, whole numbers come back and are added. Counts add
exactly, so the result is the same for any number of actors. An actor that dies is started again by Ray, reads its rows again, and
answers what it was asked.

>>> import ray
>>> from pellucid.ray import Engine, cross_validate
>>> engine = Engine(["part-0.parquet", "part-1.parquet"], target="ill")  # doctest: +SKIP
>>> engine.evaluate(["age > 40 and smoker = yes"])  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from ._frames import is_pandas


def _read(part: Any) -> Any:
    """A part of the rows: the path of a Parquet file, or a frame."""
    if isinstance(part, (str, os.PathLike)):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(part)
    return part


class _Rows:
    """Some of the rows, laid out, in an actor."""

    def __init__(self, parts: list[Any], target: str | None, bag: str | None, n_jobs: int, device: str | None) -> None:
        import pyarrow

        from . import _native
        from ._frames import fill

        tables = [_read(ray.get(part) if isinstance(part, ray.ObjectRef) else part) for part in parts]
        frame = tables[0]
        if len(tables) > 1:
            frame = pyarrow.concat_tables([_as_arrow(table) for table in tables])
        table = _native.Table("data")
        fill(table, frame)
        self._native = _native.Evaluator(table, target, bag, False, n_jobs, device)

    def classes(self) -> list[str]:
        return self._native.classes

    def counts(self, expressions: list[str]) -> tuple[np.ndarray, list[str | None]]:
        return self._native.counts(expressions)

    def process(self) -> int:
        return os.getpid()


def _as_arrow(table: Any) -> Any:
    import pyarrow

    return pyarrow.Table.from_pandas(table, preserve_index=False) if is_pandas(table) else pyarrow.table(table)


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
        if hasattr(source, "iter_internal_ref_bundles") or hasattr(source, "to_arrow_refs"):
            parts: list[Any] = list(source.to_arrow_refs())
        else:
            parts = [
                part if isinstance(part, (str, os.PathLike, ray.ObjectRef)) else ray.put(part) for part in source
            ]
        if not parts:
            raise ValueError("there are no rows: a list of Parquet files or frames, or a Ray Dataset, was expected")
        # An actor that is started again reads its rows again, so they must stay.
        self._parts = parts
        workers = min(workers or len(parts), len(parts))
        device = None if num_gpus else "cpu"
        # An actor that dies is started again without end, and asked again.
        remote = ray.remote(max_restarts=-1, max_task_retries=-1, num_cpus=num_cpus, num_gpus=num_gpus)(_Rows)
        shares = [parts[worker::workers] for worker in range(workers)]
        self._actors = [remote.remote(share, target, bag, max(int(num_cpus), 1), device) for share in shares]
        self._of_actor: list[list[str]] = ray.get([actor.classes.remote() for actor in self._actors])
        known = {name for classes in self._of_actor for name in classes}
        self._classes = _sorted(known)

    @property
    def classes(self) -> list[str]:
        """What the counts are of, in their order."""
        return list(self._classes)

    def evaluate(self, expressions: Sequence[str]) -> np.ndarray:
        """How many examples of each class every expression holds for, as :meth:`pellucid.Engine.evaluate` counts them."""
        sent = ray.put(list(expressions))
        answers = ray.get([actor.counts.remote(sent) for actor in self._actors])
        total = np.zeros((len(expressions), len(self._classes)), dtype=np.uint64)
        for classes, (counts, wrong) in zip(self._of_actor, answers):
            for place, why in enumerate(wrong):
                if why is not None:
                    raise ValueError(f"expression {place} ({expressions[place]!r}): {why}")
            total[:, [self._classes.index(name) for name in classes]] += counts
        return total

    def processes(self) -> list[int]:
        """The process of each actor, for whoever watches them."""
        found: list[int] = ray.get([actor.process.remote() for actor in self._actors])
        return found

    def close(self) -> None:
        """Ends the actors."""
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []


def _sorted(names: set[str]) -> list[str]:
    """Classes in the order of one table: by value if all are numbers, otherwise by text."""
    try:
        return sorted(names, key=lambda name: (float(name), name))
    except ValueError:
        return sorted(names)


def _one_fold(estimator: Any, X: Any, y: Any, train: np.ndarray, test: np.ndarray, seed: int) -> dict[str, Any]:
    """Learns without a fold and judges by it."""
    from sklearn.base import clone
    from sklearn.metrics import accuracy_score, balanced_accuracy_score
    from sklearn.utils import _safe_indexing

    fitted = clone(estimator).set_params(random_state=seed, n_jobs=1)
    fitted.fit(_safe_indexing(X, train), _safe_indexing(y, train))
    predicted, actual = fitted.predict(_safe_indexing(X, test)), _safe_indexing(y, test)
    return {
        "accuracy": float(accuracy_score(actual, predicted)),
        "balanced_accuracy": float(balanced_accuracy_score(actual, predicted)),
        "model": fitted.to_json(),
    }


def cross_validate(
    estimator: Any, X: Any, y: Any, *, folds: int = 10, seeds: Sequence[int] = (0,), shuffle: int = 0
) -> list[dict[str, Any]]:
    """Learns and judges every fold for every seed, wherever Ray has a core; the order and the results do not depend on how many.

    Gives for each seed and fold its ``seed``, ``fold``, ``accuracy``, ``balanced_accuracy`` and ``model`` (the text of the model file). A list of
    bags is dealt bag by bag.
    """
    from sklearn.model_selection import StratifiedKFold

    task = ray.remote(max_retries=-1, num_cpus=1)(_one_fold)
    sent = [ray.put(one) for one in (estimator, X, y)]
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=shuffle).split(np.zeros(len(y)), y))
    places = [(seed, fold) for seed in seeds for fold in range(folds)]
    done = ray.get([task.remote(*sent, *splits[fold], seed) for seed, fold in places])
    return [{"seed": seed, "fold": fold, **one} for (seed, fold), one in zip(places, done)]


__all__ = ["Engine", "cross_validate"]
