"""Training on rows that are distributed over actors.

Each actor counts the examples that the candidates cover among its rows, and the counts are added up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ray

from .. import _native
from .._model import Model
from .._params import check_keywords, refuse_old_names, run_options, settings
from .._values import plain_settings
from ._rows import Actors, Worker, no_rows, parts_of, table_of

# Requests up to this many bytes are sent to every actor, because the object store would cost more.
_SMALL = 16_384


class _PartWorker(Worker):
    """Worker that answers requests about its rows."""

    def __init__(self, jobs: int, device: str | None, target: str, bag: str | None) -> None:
        self._native: _native.Part | None = None
        self._chosen = (target, bag, jobs, device)

    def load(self, parts: list[Any]) -> None:
        table = table_of(parts)
        self._native = None if table is None else _native.Part(table, *self._chosen)

    def outline(self, ends: bool) -> bytes | None:
        """Return the outline of the rows, or None if there are no rows."""
        return None if self._native is None else self._native.outline(ends)

    def answer(self, index: int, kind: str, question: bytes, shared: list[Any]) -> bytes:
        """Answer a request.

        Every request comes with references to the outline of the whole data and to all plans, because a
        restarted actor does not have them.
        """
        assert self._native is not None, "actors without rows are stopped"
        whole, *plans = shared
        received = self._native.plans
        outline = ray.get(whole) if received is None else None
        missing = ray.get(plans[received or 0 :])
        # Ray transfers bytes faster than arrays.
        return self._native.answer(outline, kind, question, index, missing).tobytes()


def learn(
    learner: str,
    source: Any,
    *,
    target: str,
    bags: str | None = None,
    workers: int | None = None,
    num_cpus: int = 1,
    num_gpus: float = 0,
    **chosen: Any,
) -> Model:
    """Train a model on rows that are distributed over actors.

    The model is the same as one that a single process trains on all rows, in the order of the parts. All
    columns are used, even those that look like row identifiers. Inner folds are not supported.

    Parameters
    ----------
    learner : {"rules", "network"}
        The learner.
    source : list of paths, list of data frames, or ray.data.Dataset
        The parts of the data. Paths are Parquet files. A part may be empty.
    target : str
        The target column.
    bags : str, default=None
        The column that identifies the bag of each row. All rows of a bag must be in the same part.
    workers : int, default=None
        Number of actors, which share the parts. If None, one actor per part, or as many as fit the cluster.
    num_cpus : int, default=1
        Number of CPU cores of each actor.
    num_gpus : float, default=0
        Number of GPUs of each actor.
    **chosen
        Parameters of the learner and of the run, as for :func:`pellucid.learn`.

    Returns
    -------
    Model
        The trained model.

    Notes
    -----
    ``rules`` supports all modes except ``list``. The default mode uses ``always_vote=True`` and does not
    support class weights. The calling process stores the distinct values of each column, so round numbers
    that are almost all different. In the default mode it also stores the class and the out-of-fold scores of
    each example.

    ``network`` supports ``mode="paper"`` with the metrics lift, precision and mcc. Numbers need not be
    rounded. The calling process stores the class and the final score of each row, and a few thousand rows.
    """
    numbers = {entry["name"]: entry["parts"] for entry in _native.learners() if entry["parts"]}
    if learner not in numbers:
        known = " and ".join(repr(name) for name in numbers)
        raise ValueError(f"learner: found {learner!r}; distributed training supports {known}")
    refuse_old_names("learn", chosen, {"bag": "bags"})
    chosen = check_keywords(learner, chosen)
    # The driver process has the machine to itself.
    chosen.setdefault("n_jobs", -1)
    if chosen.setdefault("inner_folds", 0):
        found = chosen["inner_folds"]
        raise ValueError(f"inner_folds: found {found}; distributed training supports only 0")
    if learner == "rules" and chosen.get("mode", "default") == "default":
        chosen.setdefault("always_vote", True)
    actors = Actors(_PartWorker, parts_of(source), workers, num_cpus, num_gpus, target, bags)
    try:
        outlines = actors.ask("outline", numbers[learner] == "range")
        actors.keep([outline is not None for outline in outlines])
        outlines = [outline for outline in outlines if outline is not None]
        if not outlines:
            raise no_rows()
        whole = _native.join_outlines(outlines)
        ask = _request_function(actors, ray.put(whole))
        changed = plain_settings(settings(learner, chosen), [])
        model, run = _native.fit_parts(whole, ask, changed, run_options(chosen), learner)
    finally:
        actors.close()
    return Model(model, run)


def _request_function(actors: Actors, whole: Any) -> Callable[[str, bytes], list[np.ndarray]]:
    """Return a function that sends a request to all actors, with the outline of all data and all plans."""
    shared = [whole]

    def ask(kind: str, question: bytes) -> list[np.ndarray]:
        # The object store transfers a large request once per machine. A small one is sent with each call.
        sent = question if len(question) <= _SMALL and kind != "plan" else ray.put(question)
        if kind == "plan":
            shared.append(sent)
            return []
        calls = actors.start_numbered("answer", kind, sent, shared)
        return [np.frombuffer(answer, dtype="<u8") for answer in ray.get(calls)]

    return ask
