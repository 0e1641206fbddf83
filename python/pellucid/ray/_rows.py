"""Rows that actors hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import ray

from .. import _native
from .._frames import fill
from .._warn import warn_user

# Seconds after which actors that wait for a place are mentioned.
_PATIENCE = 30.0


def read(part: Any) -> Any:
    """A part of the rows: the path of a Parquet file, or a frame."""
    if isinstance(part, ray.ObjectRef):
        part = ray.get(part)
    if isinstance(part, (str, os.PathLike)):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(part)
    return part


def table_of(parts: Sequence[Any]) -> _native.Table | None:
    """The rows of several parts as one table; None if there are no rows."""
    tables = []
    for part in parts:
        table = _native.Table("data")
        fill(table, read(part))
        if table.rows > 0:
            tables.append(table)
    if not tables:
        return None
    return tables[0] if len(tables) == 1 else _native.Table.joined(tables)


def parts_of(source: Any) -> list[Any]:
    """The parts of what was given, none of them copied more often than once: paths, or references into the object store."""
    if hasattr(source, "to_arrow_refs"):
        parts: list[Any] = list(source.to_arrow_refs())
    else:
        parts = [part if isinstance(part, (str, os.PathLike, ray.ObjectRef)) else ray.put(part) for part in source]
    if not parts:
        raise ValueError("there are no rows: a list of Parquet files or frames, or a Ray Dataset, was expected")
    return parts


def no_rows() -> ValueError:
    return ValueError("there are no rows: every part is empty")


def room(num_cpus: float, num_gpus: float) -> int:
    """The number of actors that fit the cluster when nothing else runs there."""
    if not ray.is_initialized():
        ray.init()
    needs = [(kind, need) for kind, need in (("CPU", num_cpus), ("GPU", num_gpus)) if need > 0]
    fitting = 0
    for node in ray.nodes():
        if node["Alive"] and needs:
            # Shares of a GPU are floats, and three thirds should be three.
            fitting += min(int(node["Resources"].get(kind, 0.0) / need + 1e-9) for kind, need in needs)
    if needs and fitting == 0:
        wanted = " and ".join(f"{need:g} {kind}s" for kind, need in needs)
        less = "num_cpus and num_gpus set less"
        raise ValueError(f"no machine of the cluster has {wanted}, which every actor needs; {less}")
    return fitting if needs else 2**31


class Actors:
    """Actors that share parts, each with some of them. Ray restarts an actor that dies, and asks it again.

    Parts come with every question and not with the constructor: Ray may drop what a constructor was given,
    and could then not restart the actor. A restarted actor reads its rows again when it is asked.
    """

    def __init__(
        self,
        kind: type,
        parts: Sequence[Any],
        workers: int | None,
        num_cpus: float,
        num_gpus: float,
        *rest: Any,
    ) -> None:
        if workers is not None and workers < 1:
            raise ValueError(f"workers: found {workers}, allowed are 1 or more")
        fitting = room(num_cpus, num_gpus)
        each = f"{num_cpus:g} CPUs and {num_gpus:g} GPUs"
        if workers is not None and min(workers, len(parts)) > fitting:
            warn_user(
                f"workers: {min(workers, len(parts))} actors of {each} do not fit the cluster; {fitting} share "
                f"the {len(parts)} parts"
            )
        count = min(workers or len(parts), len(parts), fitting)
        device = None if num_gpus else "cpu"
        remote = ray.remote(max_restarts=-1, max_task_retries=-1, num_cpus=num_cpus, num_gpus=num_gpus)(kind)
        # Whole runs of parts, so that rows stay in their order.
        ends = [len(parts) * actor // count for actor in range(count + 1)]
        # The references are kept, so that the rows stay in the object store.
        self._shares = [list(parts[start:end]) for start, end in zip(ends, ends[1:])]
        jobs = max(int(num_cpus), 1)
        self.all = [remote.remote(jobs, device, *rest) for _ in range(count)]
        started = [actor.process.remote() for actor in self.all]
        _, late = ray.wait(started, num_returns=count, timeout=_PATIENCE)
        if late:
            free = ray.available_resources()
            left = f"{free.get('CPU', 0):g} CPUs and {free.get('GPU', 0):g} GPUs"
            warn_user(
                f"{len(late)} of {count} actors have no place yet: each needs {each}, and the cluster has {left} "
                "free. Waiting for them"
            )

    def start(self, method: str, *arguments: Any) -> list[Any]:
        """Asks every actor; gives the references of the answers."""
        return [actor.ask.remote(share, method, *arguments) for actor, share in zip(self.all, self._shares)]

    def start_numbered(self, method: str, *arguments: Any) -> list[Any]:
        """The same with the number of each actor as the first argument."""
        actors = enumerate(zip(self.all, self._shares))
        return [actor.ask.remote(share, method, number, *arguments) for number, (actor, share) in actors]

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        """What each actor answers."""
        found: list[Any] = ray.get(self.start(method, *arguments))
        return found

    def keep(self, wanted: Sequence[bool]) -> None:
        """Ends the actors that are not wanted."""
        for actor, is_wanted in zip(self.all, wanted):
            if not is_wanted:
                ray.kill(actor)
        self._shares = [share for share, is_wanted in zip(self._shares, wanted) if is_wanted]
        self.all = [actor for actor, is_wanted in zip(self.all, wanted) if is_wanted]

    def processes(self) -> list[int]:
        """The process of each actor."""
        found: list[int] = ray.get([actor.process.remote() for actor in self.all])
        return found

    def close(self) -> None:
        """Ends the actors."""
        self.keep([False] * len(self.all))


class Worker:
    """What all actors have: they read their parts when they are first asked."""

    _loaded = False

    def ask(self, parts: list[Any], method: str, *arguments: Any) -> Any:
        """Calls one of the actor's methods, after its parts were read."""
        if not self._loaded:
            self.load(parts)
            self._loaded = True
        return getattr(self, method)(*arguments)

    def load(self, parts: list[Any]) -> None:
        """Reads the parts."""
        raise NotImplementedError

    def process(self) -> int:
        """The process it runs in, for tests and for people who watch."""
        return os.getpid()
