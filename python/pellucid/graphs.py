"""Dependency graphs: modules, which of them uses which, and clusters of modules that belong together.

Examples
--------
>>> from pellucid.graphs import Graph
>>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")])
>>> found = graph.cluster(random_state=0)
>>> [cluster.modules for cluster in found]
[('a', 'b', 'c'), ('d', 'e')]
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from . import _native


class Cluster(NamedTuple):
    """A cluster of modules.

    Attributes
    ----------
    name : str
        The modules that most modules of the cluster are connected with.
    modules : tuple of str
        The modules.
    factor : float
        Contribution to the quality, from 0 to 1.
    """

    name: str
    modules: tuple[str, ...]
    factor: float


class Clustering:
    """A partition of the modules of a graph. Iterating yields its clusters."""

    def __init__(self, native: _native.Clustering) -> None:
        self._native = native

    @property
    def clusters(self) -> tuple[Cluster, ...]:
        """The clusters, ordered by their first modules."""
        return tuple(Cluster(name, tuple(modules), factor) for name, modules, factor in self._native.clusters)

    @property
    def quality(self) -> float:
        """The modularization quality (TurboMQ): the sum of the factors of all clusters."""
        return self._native.quality

    @property
    def omnipresent(self) -> tuple[str, ...]:
        """The modules that were set aside because they are connected with very many others."""
        return tuple(self._native.omnipresent)

    @property
    def unconnected(self) -> tuple[str, ...]:
        """The modules without edges, which are in no cluster."""
        return tuple(self._native.unconnected)

    def to_text(self, format: str = "text") -> str:
        """Return the partition as text.

        Parameters
        ----------
        format : {"text", "csv", "bunch", "json"}, default="text"
            ``csv`` has the columns module and cluster, ``bunch`` lines ``SS(name)=a, b``.
        """
        return self._native.write(format)

    def svg(self) -> str:
        """Return a drawing as SVG."""
        return self._native.svg()

    def to_dot(self) -> str:
        """Return the graph with a box around each cluster in the DOT language of Graphviz."""
        return self._native.dot()

    def __iter__(self) -> Iterator[Cluster]:
        return iter(self.clusters)

    def __len__(self) -> int:
        return len(self._native.clusters)

    def __repr__(self) -> str:
        return f"Clustering({len(self)} clusters, quality {self.quality:.4f})"

    def _repr_html_(self) -> str:
        return self.svg()


class Graph:
    """A directed graph of modules, with or without weights."""

    def __init__(self, native: _native.Graph) -> None:
        self._native = native

    @staticmethod
    def read(path: str | os.PathLike[str], *, external: bool = False) -> Graph:
        """Read a graph from a file or a folder.

        Parameters
        ----------
        path : str or path
            A file of edges (``.mdg``, ``.pairs``, CSV, DOT, GraphML, the output of ``cargo metadata``), or a
            folder with Python, C or C++ files, whose imports or includes are the edges.
        external : bool, default=False
            Whether to include modules from outside of the folder or of the Cargo workspace.
        """
        return Graph(_native.Graph.read(path, external))

    @staticmethod
    def from_edges(edges: Iterable[Sequence[object]], *, name: str = "graph") -> Graph:
        """Create a graph from edges.

        Parameters
        ----------
        edges : iterable of (str, str) or (str, str, float)
            The module that uses another one, the module that is used, and the weight. Either all edges have a
            weight or none.
        name : str, default="graph"
            The name of the graph.
        """
        numbers: dict[str, int] = {}
        rows: list[tuple[int, int, float]] = []
        lengths: set[int] = set()
        for edge in edges:
            if len(edge) not in (2, 3):
                found = f"edges: found {len(edge)} values"
                raise ValueError(f"{found}; expected (from, to) or (from, to, weight)")
            lengths.add(len(edge))
            ends = [numbers.setdefault(str(end), len(numbers)) for end in edge[:2]]
            weight = float(str(edge[2])) if len(edge) == 3 else 1.0
            rows.append((ends[0], ends[1], weight))
        if len(lengths) > 1:
            raise ValueError("edges: found some with a weight and some without; expected all or none")
        return Graph(_native.Graph.from_edges(name, list(numbers), rows, lengths == {3}))

    @property
    def modules(self) -> tuple[str, ...]:
        """The names of the modules."""
        return tuple(self._native.modules)

    @property
    def edges(self) -> list[tuple[str, str, float]]:
        """The edges with their weights."""
        names = self._native.modules
        return [(names[one], names[other], weight) for one, other, weight in self._native.edges]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed when the graph was read."""
        return tuple(self._native.notes)

    def cluster(
        self,
        *,
        undirected: bool = False,
        weights: bool = True,
        omnipresent: float | None = None,
        starts: int | None = None,
        random_state: int | None = None,
        n_jobs: int | None = None,
        time_limit: float | None = None,
    ) -> Clustering:
        """Cluster the modules so that most edges stay within a cluster.

        Parameters
        ----------
        undirected : bool, default=False
            Whether two edges in opposite directions are one.
        weights : bool, default=True
            Whether the weights of edges count.
        omnipresent : float, default=None
            Set aside modules with more than this many times as many neighbors as the average; 3 is usual. If
            None, no module is set aside.
        starts : int, default=None
            Number of starts; the best result is returned. If None, four.
        random_state : int, default=None
            The seed. None is 0.
        n_jobs : int, default=None
            Number of threads. If None, all cores. The result does not depend on it.
        time_limit : float, default=None
            Seconds after which the best clusters so far are returned.
        """
        counting = (undirected, weights, omnipresent)
        return Clustering(self._native.cluster(counting, starts, random_state or 0, n_jobs, time_limit))

    def score(
        self,
        clusters: Mapping[str, Iterable[str]] | str | os.PathLike[str],
        *,
        undirected: bool = False,
        weights: bool = True,
        omnipresent: float | None = None,
    ) -> Clustering:
        """Evaluate given clusters.

        Parameters
        ----------
        clusters : mapping of str to iterable of str, or path
            The modules of each cluster, or a file with lines ``SS(name)=a, b`` or ``module,cluster``.
        undirected, weights, omnipresent
            As for ``cluster``.
        """
        counting = (undirected, weights, omnipresent)
        if isinstance(clusters, Mapping):
            given = [(name, list(modules)) for name, modules in clusters.items()]
            return Clustering(self._native.score(given, counting))
        return Clustering(self._native.score_file(clusters, counting))

    def __repr__(self) -> str:
        return f"Graph({len(self._native.modules)} modules, {len(self._native.edges)} edges)"
