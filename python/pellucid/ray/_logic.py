"""Expressions against individuals of an ontology, some with each actor."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from ..logic import KnowledgeBase as Whole
from ._rows import Actors, Worker, read


class _Individuals(Worker):
    """An ontology. Individuals may be related, so every actor has all of them; the examples are split."""

    def __init__(self, jobs: int, device: str | None) -> None:
        self._jobs, self._device = jobs, device

    def load(self, parts: list[Any]) -> None:
        self._base = Whole(_graph(parts[0]))

    def everybody(self, number: int, of: int, expressions: list[str]) -> np.ndarray:
        return self._base.evaluate(expressions[number::of], n_jobs=self._jobs, device=self._device)

    def evaluate(self, number: int, of: int, asked: tuple[list[str], list[str], list[str]]) -> np.ndarray:
        expressions, positive, negative = asked
        # The engine asks for one example of each kind; where there is none in this share, one is lent and not counted.
        shares = [kind[number::of] for kind in (positive, negative)]
        lent = [not share for share in shares]
        if all(lent):
            return np.zeros((len(expressions), 2), dtype=np.uint64)
        positive, negative = (share or kind[:1] for share, kind in zip(shares, (positive, negative)))
        counts = self._base.evaluate(expressions, positive, negative, n_jobs=self._jobs, device=self._device)
        counts[:, lent] = 0
        return counts


def _graph(source: Any) -> Any:
    """A path, or a graph from its triples."""
    source = read(source) if isinstance(source, ray.ObjectRef) else source
    if not isinstance(source, bytes):
        return source
    import rdflib

    return rdflib.Graph().parse(data=source, format="nt")


class KnowledgeBase:
    """Expressions against the individuals of an ontology, with ``workers`` actors that answer for some of the examples each.

    ``source`` is the path of a file that every machine can read, or an ``rdflib.Graph``.
    """

    def __init__(self, source: Any, *, workers: int = 2, num_cpus: int = 1, num_gpus: float = 0) -> None:
        if not isinstance(source, (str, os.PathLike)):
            source = ray.put(source.serialize(format="nt", encoding="utf-8"))
        self._actors = Actors(_Individuals, [source] * workers, workers, num_cpus, num_gpus)

    def evaluate(
        self, expressions: Sequence[str], positive: Sequence[str] | None = None, negative: Sequence[str] | None = None
    ) -> np.ndarray:
        """As :meth:`pellucid.logic.KnowledgeBase.evaluate`: how many positive and negative individuals each holds for, or how many of everybody."""
        expressions = list(expressions)
        if positive is None and negative is None:
            # All individuals are asked about, so the expressions are split.
            count = len(self._actors.all)
            found = ray.get(self._actors.start_numbered("everybody", count, expressions))
            counts = np.zeros((len(expressions), 1), dtype=np.uint64)
            for place, share in enumerate(found):
                counts[place::count] = share
            return counts
        asked = ray.put((expressions, list(positive or []), list(negative or [])))
        answers = ray.get(self._actors.start_numbered("evaluate", len(self._actors.all), asked))
        total: np.ndarray = np.asarray(answers, dtype=np.uint64).sum(axis=0)
        return total

    def processes(self) -> list[int]:
        """The process of each actor, for tests and for people who watch."""
        return self._actors.processes()

    def close(self) -> None:
        """Ends the actors."""
        self._actors.close()
