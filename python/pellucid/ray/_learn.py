"""Learning from rows that several actors hold: all get the candidates, and their counts are added up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ray

from .. import _native
from .._model import Model
from .._params import check_keywords, run_options, settings
from ._rows import Actors, Worker, no_rows, parts_of, table_of


# Bytes of a question for which a place in the object store costs more than to send it to every actor.
_SMALL = 16_384


class _Part(Worker):
    """Some of the rows, which answer questions about themselves."""

    def __init__(self, jobs: int, device: str | None, target: str, bag: str | None) -> None:
        self._native: _native.Part | None = None
        self._chosen = (target, bag, jobs, device)

    def load(self, parts: list[Any]) -> None:
        table = table_of(parts)
        self._native = None if table is None else _native.Part(table, *self._chosen)

    def outline(self, ends: bool) -> bytes | None:
        """What the rows hold; None if there are none."""
        return None if self._native is None else self._native.outline(ends)

    # The outline of the whole and the plans come with every question: a restarted actor does not have them.
    def answer(self, place: int, kind: str, question: bytes, known: list[Any]) -> bytes:
        assert self._native is not None, "actors without rows are not asked"
        whole, *plans = known
        told = self._native.plans
        outline = ray.get(whole) if told is None else None
        # Bytes are what Ray sends fastest.
        return self._native.answer(outline, kind, question, place, ray.get(plans[told or 0 :])).tobytes()


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

    ``source``, ``workers``, ``num_cpus`` and ``num_gpus`` are as for :class:`Engine`. All other keywords are
    parameters of the learner and of the run, as in :func:`pellucid.learn`: progress, checkpoint and time
    limit too. Every column is kept, also one that only numbers the rows, and there are no inner folds
    (``inner_folds=0``).

    ``rules`` are learned in any mode but ``list``. The default mode always votes (``always_vote=True``), and knows no class weights; its rows
    are in the order of the parts. What every value costs is that its column is listed once in the process that asks; numbers of which hardly two are the
    same should be rounded before. In the default mode that process also has the class of every example, and what the inner folds said of it at every size.

    A ``network`` is bred, with ``mode="paper"``, by lift, precision or mcc; its rows are in the order of the parts. Numbers need not be rounded. The process
    that asks has the class of every row, a few thousand rows, and in the end the score of every row.
    """
    if learner not in ("rules", "network"):
        raise ValueError(f"found learner {learner!r}; 'rules' and 'network' learn from counts of rows that lie elsewhere")
    chosen = check_keywords(learner, chosen)
    if chosen.setdefault("inner_folds", 0):
        raise ValueError("inner_folds: rows that lie elsewhere cannot be held out, 0 was expected")
    if learner == "rules" and chosen.get("mode", "default") == "default":
        chosen.setdefault("always_vote", True)
    actors = Actors(_Part, parts_of(source), workers, num_cpus, num_gpus, target, bag)
    try:
        outlines = actors.ask("outline", learner == "network")
        actors.keep([outline is not None for outline in outlines])
        outlines = [outline for outline in outlines if outline is not None]
        if not outlines:
            raise no_rows()
        whole = _native.join_outlines(outlines)
        ask = _asking(actors, ray.put(whole))
        model, run = _native.fit_parts(whole, ask, settings(learner, chosen), run_options(chosen), learner)
    finally:
        actors.close()
    return Model(model, run)


def _asking(actors: Actors, whole: Any) -> Callable[[str, bytes], list[np.ndarray]]:
    """A function that asks all actors, with the outline of the whole, and with all plans that there are by then."""
    known = [whole]

    def ask(kind: str, question: bytes) -> list[np.ndarray]:
        # What is large goes once to each machine, however many actors it has; what is small goes with the call.
        sent = question if len(question) <= _SMALL and kind != "plan" else ray.put(question)
        if kind == "plan":
            known.append(sent)
            return []
        asked = actors.start_numbered("answer", kind, sent, known)
        return [np.frombuffer(answer, dtype="<u8") for answer in ray.get(asked)]

    return ask
