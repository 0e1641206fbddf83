"""Formal concepts: every concept of a table of crosses, their lattice, and what follows from what.

>>> from pellucid.concepts import Context
>>> animals = Context.from_crosses(
...     [[1, 1, 1], [1, 1, 0], [1, 0, 1]], ["frog", "reed", "bream"], ["water", "land", "moves"]
... )
>>> animals.count()
4
>>> [sorted(concept.extent) for concept in animals.concepts() if "land" in concept.intent]
[['frog', 'reed'], ['frog']]
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._frames import fill, is_pandas


class Concept(NamedTuple):
    """Objects that share attributes, with all the attributes they share."""

    intent: tuple[str, ...]
    extent: tuple[str, ...]


class Implication(NamedTuple):
    """Whatever has all of the premise has all of the conclusion; ``support`` objects have the premise."""

    premise: tuple[str, ...]
    conclusion: tuple[str, ...]
    support: int

    def __str__(self) -> str:
        return f"{', '.join(self.premise) or '(nothing)'} -> {', '.join(self.conclusion)}  [{self.support}]"


class AssociationRule(NamedTuple):
    """What has the premise has the conclusion with this confidence; ``support`` objects have both."""

    premise: tuple[str, ...]
    conclusion: tuple[str, ...]
    support: int
    confidence: float
    lift: float


class Clusters(NamedTuple):
    """The modules of a graph in clusters. Of ``quality``, a cluster that no line leaves adds 1, and one without a line inside nothing."""

    clusters: tuple[tuple[str, ...], ...]
    quality: float


class Context:
    """Objects, attributes, and which has which."""

    def __init__(self, native: _native.Context) -> None:
        self._native = native

    @staticmethod
    def read(
        path: str | os.PathLike[str], *, symmetric: bool = False, scale: str | None = None, cuts: int | None = None
    ) -> Context:
        """Reads a context (``.cxt``, ``.dat``, CSV, pairs), or with ``scale`` a table of values to make one of."""
        return Context(_native.Context.read(path, symmetric, scale, cuts))

    @staticmethod
    def from_crosses(
        crosses: Any, objects: Sequence[str] | None = None, attributes: Sequence[str] | None = None, name: str = "data"
    ) -> Context:
        """A context from a table of zeros and ones, or a sparse matrix."""
        if hasattr(crosses, "toarray"):
            crosses = crosses.toarray()
        crosses = np.asarray(crosses) != 0
        if crosses.ndim != 2:
            raise ValueError(f"found {crosses.ndim} dimensions, a table of crosses has 2")
        objects = [str(number + 1) for number in range(crosses.shape[0])] if objects is None else objects
        attributes = [str(number + 1) for number in range(crosses.shape[1])] if attributes is None else attributes
        return Context(
            _native.Context.from_crosses(name, [str(one) for one in objects], [str(one) for one in attributes], crosses)
        )

    @staticmethod
    def from_frame(frame: Any, *, scale: str = "nominal", cuts: int | None = None, name: str = "data") -> Context:
        """A context from a frame: one of truth values as it is, any other scaled.

        ``nominal`` makes an attribute of every value, ``ordinal`` of every "at most" and ``interordinal`` of every "at
        most" and "at least"; ``cuts`` keeps so many cut points of a column of numbers.
        """
        rows = frame.shape[0] if hasattr(frame, "shape") else len(frame)
        objects = [str(label) for label in frame.index] if is_pandas(frame) else [str(row + 1) for row in range(rows)]
        if is_pandas(frame) and len(frame.columns) and all(dtype == bool for dtype in frame.dtypes):
            return Context.from_crosses(frame.to_numpy(), objects, [str(column) for column in frame.columns], name)
        table = _native.Table(name)
        fill(table, frame)
        return Context(_native.Context.from_table(table, objects, scale, cuts))

    @property
    def name(self) -> str:
        """What it is called."""
        return self._native.name

    @property
    def objects(self) -> list[str]:
        """The objects."""
        return self._native.objects

    @property
    def attributes(self) -> list[str]:
        """The attributes."""
        return self._native.attributes

    @property
    def crosses(self) -> int:
        """How many crosses there are."""
        return self._native.crosses

    def __repr__(self) -> str:
        objects, attributes = len(self.objects), len(self.attributes)
        return f"<Context {self.name!r}: {objects} objects, {attributes} attributes, {self.crosses} crosses>"

    def _repr_html_(self) -> str:
        from html import escape

        objects, attributes = self.objects, self.attributes
        if len(objects) > 60 or len(attributes) > 40:
            return f"<p>{escape(repr(self))}</p>"
        head = "".join(f"<th>{escape(attribute)}</th>" for attribute in attributes)
        lines = []
        for place, one in enumerate(objects):
            has = set(self._native.row(place))
            marks = "".join(f"<td>{'&times;' if attribute in has else ''}</td>" for attribute in attributes)
            lines.append(f"<tr><th>{escape(one)}</th>{marks}</tr>")
        return f"<table><tr><th></th>{head}</tr>{''.join(lines)}</table>"

    def transposed(self) -> Context:
        """Objects and attributes exchanged."""
        return Context(self._native.reshape(True))

    def clarified(self) -> Context:
        """Equal rows become one object, equal columns one attribute."""
        return Context(self._native.reshape(False, "clarify"))

    def reduced(self) -> Context:
        """Without objects and attributes that are intersections of others; the lattice keeps its shape."""
        return Context(self._native.reshape(False, "reduce"))

    def count(
        self, min_support: float = 0, *, max: int | None = None, n_jobs: int | None = None, device: str | None = None
    ) -> int:
        """How many concepts there are, with so many objects or more."""
        return self._native.count(self._support(min_support), max, n_jobs, device)[0]

    def digest(self, min_support: float = 0, *, n_jobs: int | None = None, device: str | None = None) -> str:
        """A digest of all concepts, the same on every device and as the command line tells it."""
        return self._native.count(self._support(min_support), None, n_jobs, device)[1]

    def concepts(self, min_support: float = 0, *, max: int | None = None) -> Iterator[Concept]:
        """The concepts one by one, found while they are asked for: memory does not grow with their number."""
        for intent, extent in self._native.concepts(self._support(min_support), max):
            yield Concept(tuple(intent), tuple(extent))

    def lattice(self, min_support: float = 0, *, max: int = 1_000_000, n_jobs: int | None = None) -> Lattice:
        """The concepts in their order."""
        return Lattice(self._native.lattice(self._support(min_support), max, n_jobs))

    def implications(self, min_support: float = 0, *, max: int | None = None) -> list[Implication]:
        """The Duquenne-Guigues base: the fewest implications from which all others follow."""
        found = self._native.implications(self._support(min_support), max)
        return [Implication(tuple(premise), tuple(conclusion), support) for premise, conclusion, support in found]

    def association_rules(
        self, min_support: float = 1, min_confidence: float = 0.8, *, exact: bool = False, max: int | None = None
    ) -> list[AssociationRule]:
        """What follows nearly always; with ``exact`` also what follows always."""
        found = self._native.association_rules(self._support(min_support), min_confidence, exact, max)
        return [AssociationRule(tuple(one[0]), tuple(one[1]), *one[2:]) for one in found]

    def clusters(self, *, beginnings: int = 3, random_state: int | None = None) -> Clusters:
        """The modules of a graph, which are both its objects and its attributes, in clusters that few lines leave.

        The best partition (by TurboMQ, without directions and weights) that is climbed to from so many beginnings.
        """
        clusters, quality = self._native.clusters(beginnings, random_state or 0)
        return Clusters(tuple(tuple(cluster) for cluster in clusters), quality)

    def _support(self, least: float) -> int:
        """A number of objects from a number or from a share below 1."""
        if least < 0:
            raise ValueError(f"min_support: found {least}, a number of objects or a share below 1 was expected")
        if 0 < least < 1:
            return int(np.ceil(least * len(self.objects)))
        return int(least)


class Lattice:
    """Concepts in their order, numbered from the top down. A notebook shows the drawing."""

    #: The most concepts that a notebook draws by itself.
    drawn = 300

    def __init__(self, native: _native.Lattice) -> None:
        self._native = native

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, concept: int) -> Concept:
        if concept < 0:
            concept += len(self)
        return Concept(tuple(self._native.intent(concept)), tuple(self._native.extent(concept)))

    def __iter__(self) -> Iterator[Concept]:
        return (self[concept] for concept in range(len(self)))

    @property
    def edges(self) -> int:
        """How many lines the diagram has."""
        return self._native.edges

    @property
    def top(self) -> int:
        """The concept of all objects."""
        return 0

    @property
    def bottom(self) -> int | None:
        """The concept of all attributes, unless it was left out."""
        return self._native.bottom

    def support(self, concept: int) -> int:
        """How many objects a concept has."""
        return self._native.support(concept)

    def lower(self, concept: int) -> list[int]:
        """The concepts right below one."""
        return self._native.lower(concept)

    def upper(self, concept: int) -> list[int]:
        """The concepts right above one."""
        return self._native.upper(concept)

    def meet(self, a: int, b: int) -> int | None:
        """The largest concept below both, if it is listed."""
        return self._native.meet(a, b)

    def join(self, a: int, b: int) -> int:
        """The smallest concept above both."""
        return self._native.join(a, b)

    def svg(self, labels: str = "auto", *, interactive: bool = False) -> str:
        """The drawing; ``labels`` is auto, all or hover."""
        return self._native.svg(labels, interactive)

    def to_dot(self) -> str:
        """The lattice for Graphviz."""
        return self._native.dot()

    def to_json(self) -> str:
        """The lattice for programs."""
        return self._native.to_json()

    def __repr__(self) -> str:
        return f"<Lattice: {len(self)} concepts, {self.edges} lines>"

    def _repr_html_(self) -> str | None:
        return self.svg() if len(self) <= self.drawn else None
