"""The concepts of a context, a share of the search with each task."""

from __future__ import annotations

import os
from typing import Any

import ray

from ..concepts import Context

# Subtrees differ in size, and whoever is done takes the next.
_SHARES_EACH = 8


def _share(context: Any, number: int, of: int, min_support: float, jobs: int) -> tuple[int, str]:
    """Counts the concepts of one share."""
    if not isinstance(context, Context):
        context = Context.read(context)
    least = context._support(min_support)
    concepts, digest, _ = context._native.count(least, None, jobs, "cpu", (number, of))
    return concepts, digest


def count_concepts(
    context: Any, *, min_support: float = 0, workers: int = 2, num_cpus: int = 1
) -> tuple[int, str]:
    """How many concepts there are, and their digest, as ``Context.count`` and ``Context.digest`` give them.

    ``context`` is a :class:`pellucid.concepts.Context`, or the path of one that every machine can read. The branches of the search from its root
    are dealt into eight shares for each of the ``workers``, every one a task of its own.
    """
    task = ray.remote(max_retries=-1, num_cpus=num_cpus)(_share)
    sent = context if isinstance(context, (str, os.PathLike)) else ray.put(context)
    of = _SHARES_EACH * workers
    found = ray.get([task.remote(sent, number, of, min_support, num_cpus) for number in range(of)])
    digest = sum(int(digest, 16) for _, digest in found) % 2**64
    return sum(concepts for concepts, _ in found), f"{digest:016x}"
