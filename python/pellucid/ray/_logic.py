"""Evaluation of class expressions on an ontology, with the examples split among actors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from ..logic import KnowledgeBase as LocalKnowledgeBase
from ._rows import Actors, Worker, read


class _Individuals(Worker):
    """Worker that evaluates class expressions on its share of the examples.

    Individuals can be related, so every actor loads the whole ontology.
    """

    def __init__(self, jobs: int, device: str | None) -> None:
        self._jobs, self._device = jobs, device

    def load(self, parts: list[Any]) -> None:
        self._base = LocalKnowledgeBase(_graph(parts[0]))

    def count_all(self, number: int, of: int, expressions: list[str]) -> np.ndarray:
        """Count all individuals that this actor's share of the expressions covers."""
        return self._base.evaluate(expressions[number::of], n_jobs=self._jobs, device=self._device)

    def evaluate(self, number: int, of: int, problem: tuple[list[str], list[str], list[str]]) -> np.ndarray:
        """Count this actor's share of the positive and negative individuals that each expression covers."""
        expressions, positive, negative = problem
        # The engine needs at least one positive and one negative individual. If the share has none, the first
        # of all stands in, and its count is reset to 0.
        shares = [kind[number::of] for kind in (positive, negative)]
        is_empty = [not share for share in shares]
        if all(is_empty):
            return np.zeros((len(expressions), 2), dtype=np.uint64)
        positive, negative = (share or kind[:1] for share, kind in zip(shares, (positive, negative)))
        counts = self._base.evaluate(expressions, positive, negative, n_jobs=self._jobs, device=self._device)
        counts[:, is_empty] = 0
        return counts


def _graph(source: Any) -> Any:
    """Return a path unchanged, or an rdflib graph for serialized triples."""
    source = read(source) if isinstance(source, ray.ObjectRef) else source
    if not isinstance(source, bytes):
        return source
    import rdflib

    return rdflib.Graph().parse(data=source, format="nt")


class KnowledgeBase:
    """Evaluate class expressions on an ontology, with the examples split among actors.

    Parameters
    ----------
    source : str, path or rdflib.Graph
        A file that every machine can read, or a graph.
    workers : int, default=2
        Number of actors.
    num_cpus : int, default=1
        Number of CPU cores of each actor.
    num_gpus : float, default=0
        Number of GPUs of each actor.
    """

    def __init__(self, source: Any, *, workers: int = 2, num_cpus: int = 1, num_gpus: float = 0) -> None:
        if not isinstance(source, (str, os.PathLike)):
            source = ray.put(source.serialize(format="nt", encoding="utf-8"))
        self._actors = Actors(_Individuals, [source] * workers, workers, num_cpus, num_gpus)

    def evaluate(
        self,
        expressions: Sequence[str],
        positive: Sequence[str] | None = None,
        negative: Sequence[str] | None = None,
    ) -> np.ndarray:
        """Count the individuals that each class expression covers.

        Parameters
        ----------
        expressions : sequence of str
            Class expressions in Manchester or DL syntax.
        positive, negative : sequence of str, default=None
            Positive and negative individuals. If both are None, all individuals are counted together.

        Returns
        -------
        ndarray of shape (n_expressions, 2) or (n_expressions, 1)
            The numbers of positive and negative individuals, or of all individuals.
        """
        expressions = list(expressions)
        if positive is None and negative is None:
            # There are no examples to split, so the expressions are split instead.
            count = len(self._actors.all)
            found = ray.get(self._actors.start_numbered("count_all", count, expressions))
            counts = np.zeros((len(expressions), 1), dtype=np.uint64)
            for index, share in enumerate(found):
                counts[index::count] = share
            return counts
        problem = ray.put((expressions, list(positive or []), list(negative or [])))
        answers = ray.get(self._actors.start_numbered("evaluate", len(self._actors.all), problem))
        total: np.ndarray = np.asarray(answers, dtype=np.uint64).sum(axis=0)
        return total

    def processes(self) -> list[int]:
        """Return the process ID of each actor, for tests and monitoring."""
        return self._actors.processes()

    def close(self) -> None:
        """Stop the actors."""
        self._actors.close()
