"""Learning from rows that lie with several actors: what is bred is sent to all of them, and what they count is added up."""

from __future__ import annotations

from typing import Any

import numpy as np

import ray

from .. import _native
from .._model import Model
from .._params import RUN, described, keyword, run_options, settings
from ._rows import Actors, Worker, parts_of, table_of


class _Part(Worker):
    """Some of the rows, which answer questions about themselves."""

    def __init__(self, parts: list[Any], jobs: int, device: str | None, target: str, bag: str | None) -> None:
        self._native = _native.Part(table_of(parts), target, bag, jobs, device)

    def outline(self) -> bytes:
        return self._native.outline()

    # The outline of the whole comes with every question, as an actor that was started again does not have it.
    def answer(self, whole: bytes, kind: str, question: bytes) -> np.ndarray:
        return self._native.answer(whole, kind, question)


def learn(
    learner: str,
    source: Any,
    *,
    target: str,
    bag: str | None = None,
    workers: int | None = None,
    num_cpus: int = 1,
    num_gpus: float = 0,
    **chosen: Any,
) -> Model:
    """Learns from rows that no single process has, and gives the model that one process would have learned from all of them.

    ``source``, ``workers``, ``num_cpus`` and ``num_gpus`` are as for :class:`Engine`; whatever else is given are parameters of the learner and
    of the run, as in :func:`pellucid.learn`: progress, checkpoint and time limit too. The learner is ``rules`` in mode ``g3p-mi`` or ``pareto``, which
    breed rules from counts. Every column is taken as it is, also one that only numbers the rows, and nothing is held out
    (``inner_folds=0``): both need rows side by side.

    What every value costs is that its column is listed once in the process that asks; numbers of which hardly two are the same
    should be rounded before.
    """
    if learner != "rules":
        raise ValueError(f"found learner {learner!r}; 'rules' learns from counts of rows that lie elsewhere")
    if chosen.setdefault("inner_folds", 0):
        raise ValueError("inner_folds: rows that lie elsewhere cannot be held out, 0 was expected")
    known = {keyword(parameter) for parameter in described(learner)["parameters"]} | set(RUN)
    for name in chosen:
        if name not in known:
            _native.check_settings(learner, {name: chosen[name]})
    actors = Actors(_Part, parts_of(source), workers, num_cpus, num_gpus, target, bag)
    try:
        whole = _native.join_outlines(actors.ask("outline"))
        sent = ray.put(whole)

        def ask(kind: str, question: bytes) -> np.ndarray:
            # Once to each machine, however many actors it has.
            answers = actors.ask("answer", sent, kind, ray.put(question))
            total: np.ndarray = np.asarray(answers, dtype=np.uint64).sum(axis=0)
            return total

        model, run = _native.fit_parts(whole, ask, settings(learner, chosen), run_options(chosen))
    finally:
        actors.close()
    return Model(model, run)
