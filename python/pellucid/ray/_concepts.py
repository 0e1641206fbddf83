"""Concepts of a context, with the search split into tasks."""

from __future__ import annotations

import os
from typing import Any

import ray

from ..concepts import Context

# Branches of the search differ in size. A worker that finishes a share early takes another one.
_SHARES_PER_WORKER = 8


def _share(context: Any, number: int, of: int, min_support: float, jobs: int) -> tuple[int, str]:
    """Count the concepts of one share of the search."""
    if not isinstance(context, Context):
        context = Context.read(context)
    least = context._support(min_support)
    concepts, digest, _ = context._native.count(least, None, jobs, "cpu", (number, of))
    return concepts, digest


def count_concepts(
    context: Any, *, min_support: float = 0, workers: int = 2, num_cpus: int = 1
) -> tuple[int, str]:
    """Count the concepts of a context on several machines.

    The branches at the root of the search are split into eight tasks per worker.

    Parameters
    ----------
    context : pellucid.concepts.Context, str or path
        The context, or the path of a context file that every machine can read.
    min_support : float, default=0
        Minimum number of objects of a concept, or share of all objects if below 1.
    workers : int, default=2
        Number of workers to plan for.
    num_cpus : int, default=1
        Number of CPU cores of each task.

    Returns
    -------
    concepts : int
        The number of concepts, as :meth:`pellucid.concepts.Context.count` returns it.
    digest : str
        The digest of all concepts, as :meth:`pellucid.concepts.Context.digest` returns it.
    """
    task = ray.remote(max_retries=-1, num_cpus=num_cpus)(_share)
    sent = context if isinstance(context, (str, os.PathLike)) else ray.put(context)
    of = _SHARES_PER_WORKER * workers
    found = ray.get([task.remote(sent, number, of, min_support, num_cpus) for number in range(of)])
    digest = sum(int(digest, 16) for _, digest in found) % 2**64
    return sum(concepts for concepts, _ in found), f"{digest:016x}"
