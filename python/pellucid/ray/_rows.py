"""Rows that lie with actors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import ray

from .. import _native
from .._frames import fill, is_pandas


def read(part: Any) -> Any:
    """A part of the rows: the path of a Parquet file, or a frame."""
    if isinstance(part, ray.ObjectRef):
        part = ray.get(part)
    if isinstance(part, (str, os.PathLike)):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(part)
    return part


def table_of(parts: Sequence[Any]) -> _native.Table:
    """The rows of several parts as one table."""
    import pyarrow

    frames = [read(part) for part in parts]
    frame = frames[0]
    if len(frames) > 1:
        as_arrow = [
            pyarrow.Table.from_pandas(one, preserve_index=False) if is_pandas(one) else pyarrow.table(one)
            for one in frames
        ]
        frame = pyarrow.concat_tables(as_arrow)
    table = _native.Table("data")
    fill(table, frame)
    return table


def parts_of(source: Any) -> list[Any]:
    """The parts of what was given, none of them copied more often than once: paths, or references into the object store."""
    if hasattr(source, "to_arrow_refs"):
        parts: list[Any] = list(source.to_arrow_refs())
    else:
        parts = [part if isinstance(part, (str, os.PathLike, ray.ObjectRef)) else ray.put(part) for part in source]
    if not parts:
        raise ValueError("there are no rows: a list of Parquet files or frames, or a Ray Dataset, was expected")
    return parts


class Actors:
    """Actors that share parts, each with some of them. They are started again when they die, without end, and asked again."""

    def __init__(self, kind: type, parts: Sequence[Any], workers: int | None, num_cpus: float, num_gpus: float, *rest: Any) -> None:
        # An actor that is started again reads its rows again, so they must stay.
        self._parts = list(parts)
        workers = min(workers or len(parts), len(parts))
        device = None if num_gpus else "cpu"
        remote = ray.remote(max_restarts=-1, max_task_retries=-1, num_cpus=num_cpus, num_gpus=num_gpus)(kind)
        # Whole runs of parts, so that rows stay in their order.
        ends = [len(parts) * worker // workers for worker in range(workers + 1)]
        shares = [list(parts[start:end]) for start, end in zip(ends, ends[1:])]
        jobs = max(int(num_cpus), 1)
        self.all = [remote.remote(share, jobs, device, *rest) for share in shares]

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        """What each actor answers."""
        found: list[Any] = ray.get([getattr(actor, method).remote(*arguments) for actor in self.all])
        return found

    def close(self) -> None:
        """Ends the actors."""
        for actor in self.all:
            ray.kill(actor)
        self.all = []


class Worker:
    """What all actors have."""

    def process(self) -> int:
        """The process it runs in, for whoever watches."""
        return os.getpid()
