"""Actors that share the parts of a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import ray

from .. import _native
from .._frames import fill
from .._warn import warn_user

# Seconds to wait for actors to start before the user is warned.
_PATIENCE = 30.0


def read(part: Any) -> Any:
    """Return a part as a data frame, given a data frame, a Parquet file or a reference to one of them."""
    if isinstance(part, ray.ObjectRef):
        part = ray.get(part)
    if isinstance(part, (str, os.PathLike)):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(part)
    return part


def table_of(parts: Sequence[Any]) -> _native.Table | None:
    """Return the rows of several parts as one table, or None if there are no rows."""
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
    """Return the parts of a data source as paths or references to the object store, copied at most once."""
    if hasattr(source, "to_arrow_refs"):
        parts: list[Any] = list(source.to_arrow_refs())
    else:
        kept = (str, os.PathLike, ray.ObjectRef)
        parts = [part if isinstance(part, kept) else ray.put(part) for part in source]
    if not parts:
        expected = "a list of Parquet files or data frames, or a Ray Dataset"
        raise ValueError(f"the data has no parts; expected {expected}")
    return parts


def no_rows() -> ValueError:
    return ValueError("the data has no rows: every part is empty")


def max_actors(num_cpus: float, num_gpus: float) -> int:
    """Return the number of actors that fit the cluster when nothing else runs there."""
    if not ray.is_initialized():
        ray.init()
    needs = [(kind, need) for kind, need in (("CPU", num_cpus), ("GPU", num_gpus)) if need > 0]
    fitting = 0
    for node in ray.nodes():
        if node["Alive"] and needs:
            # The small constant corrects rounding: a GPU fits three actors that need a third of it each.
            fitting += min(int(node["Resources"].get(kind, 0.0) / need + 1e-9) for kind, need in needs)
    if needs and fitting == 0:
        required = " and ".join(f"{need:g} {kind}s" for kind, need in needs)
        raise ValueError(
            f"no machine of the cluster has {required}, which each actor needs; use num_cpus and num_gpus to "
            "reduce it"
        )
    return fitting if needs else 2**31


class Actors:
    """Actors that share parts. Ray restarts an actor that dies and repeats the call.

    Parts are passed with every call and not to the constructor: Ray may discard constructor arguments and
    could then not restart the actor. A restarted actor reads its rows again on the next call.
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
            raise ValueError(f"workers: found {workers}; expected 1 or more")
        fitting = max_actors(num_cpus, num_gpus)
        each = f"{num_cpus:g} CPUs and {num_gpus:g} GPUs"
        if workers is not None and min(workers, len(parts)) > fitting:
            warn_user(
                f"workers: {min(workers, len(parts))} actors with {each} each do not fit the cluster; "
                f"{fitting} actors share the {len(parts)} parts"
            )
        count = min(workers or len(parts), len(parts), fitting)
        device = None if num_gpus else "cpu"
        remote = ray.remote(max_restarts=-1, max_task_retries=-1, num_cpus=num_cpus, num_gpus=num_gpus)(kind)
        # Each actor gets consecutive parts, so that rows stay in order.
        ends = [len(parts) * actor // count for actor in range(count + 1)]
        # Keeping the references keeps the rows in the object store.
        self._shares = [list(parts[start:end]) for start, end in zip(ends, ends[1:])]
        jobs = max(int(num_cpus), 1)
        self.all = [remote.remote(jobs, device, *rest) for _ in range(count)]
        started = [actor.process.remote() for actor in self.all]
        _, late = ray.wait(started, num_returns=count, timeout=_PATIENCE)
        if late:
            free = ray.available_resources()
            available = f"{free.get('CPU', 0):g} CPUs and {free.get('GPU', 0):g} GPUs"
            warn_user(
                f"waiting for {len(late)} of {count} actors to start: each needs {each}, and the cluster has "
                f"{available} available"
            )

    def start(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of every actor and return references to the results."""
        return [actor.ask.remote(share, method, *arguments) for actor, share in zip(self.all, self._shares)]

    def start_numbered(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of every actor with the number of the actor as first argument."""
        actors = enumerate(zip(self.all, self._shares))
        return [actor.ask.remote(share, method, number, *arguments) for number, (actor, share) in actors]

    def ask(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of every actor and return the results."""
        results: list[Any] = ray.get(self.start(method, *arguments))
        return results

    def keep(self, is_kept: Sequence[bool]) -> None:
        """Stop the actors that are not kept."""
        for actor, kept in zip(self.all, is_kept):
            if not kept:
                ray.kill(actor)
        self._shares = [share for share, kept in zip(self._shares, is_kept) if kept]
        self.all = [actor for actor, kept in zip(self.all, is_kept) if kept]

    def processes(self) -> list[int]:
        """Return the process ID of each actor."""
        ids: list[int] = ray.get([actor.process.remote() for actor in self.all])
        return ids

    def close(self) -> None:
        """Stop the actors."""
        self.keep([False] * len(self.all))


class Worker:
    """Base class of all actors, which read their parts on the first call."""

    _loaded = False

    def ask(self, parts: list[Any], method: str, *arguments: Any) -> Any:
        """Call a method of the actor, after reading the parts if necessary."""
        if not self._loaded:
            self.load(parts)
            self._loaded = True
        return getattr(self, method)(*arguments)

    def load(self, parts: list[Any]) -> None:
        """Read the parts."""
        raise NotImplementedError

    def process(self) -> int:
        """Return the process ID of the actor, for tests and monitoring."""
        return os.getpid()
