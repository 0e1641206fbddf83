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
    """An ontology. Everybody may be anybody's neighbour, so all of it is with each actor; it is the examples that are dealt."""

    def __init__(self, source: list[Any], jobs: int, device: str | None) -> None:
        self._base, self._jobs, self._device = Whole(_graph(source[0])), jobs, device

    def everybody(self, expressions: list[str]) -> np.ndarray:
        return self._base.evaluate(expressions, n_jobs=self._jobs, device=self._device)

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
        actors, expressions = self._actors.all, list(expressions)
        if positive is None and negative is None:
            # Nobody is left out, so it is expressions that are dealt.
            shares = [expressions[place :: len(actors)] for place in range(len(actors))]
            found = ray.get([actor.everybody.remote(share) for actor, share in zip(actors, shares) if share])
            counts = np.zeros((len(expressions), 1), dtype=np.uint64)
            for place, share in enumerate(found):
                counts[place :: len(actors)] = share
            return counts
        asked = ray.put((expressions, list(positive or []), list(negative or [])))
        answers = ray.get([actor.evaluate.remote(place, len(actors), asked) for place, actor in enumerate(actors)])
        total: np.ndarray = np.asarray(answers, dtype=np.uint64).sum(axis=0)
        return total

    def processes(self) -> list[int]:
        """The process of each actor, for whoever watches them."""
        return self._actors.ask("process")

    def close(self) -> None:
        """Ends the actors."""
        self._actors.close()
