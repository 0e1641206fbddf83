"""Formal concept analysis: concepts, their lattice, implications and association rules.

Examples
--------
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
from pathlib import Path
from typing import Any

import numpy as np

from . import _native
from ._concept_results import AssociationRule, Clusters, Concept, ConceptEstimate, Implication
from ._frames import fill, is_pandas
from ._lattice import Lattice
from ._report import Report

__all__ = ["AssociationRule", "Clusters", "Concept", "ConceptEstimate", "Context", "Implication", "Lattice"]


class Context:
    """A formal context: objects, attributes, and which object has which attribute."""

    def __init__(self, native: _native.Context) -> None:
        self._native = native

    @staticmethod
    def read(
        path: str | os.PathLike[str],
        *,
        symmetric: bool = False,
        scale: str | None = None,
        cuts: int | None = None,
    ) -> Context:
        """Read a context from a file.

        Parameters
        ----------
        path : str or path
            A context (``.cxt``, ``.dat``, CSV or pairs). With ``scale``, a table of values.
        symmetric : bool, default=False
            Whether to add the reverse of each pair.
        scale : {"nominal", "ordinal", "interordinal"}, default=None
            How to convert a table of values to a context. If None, the file must be a context.
        cuts : int, default=None
            Number of cut points to keep per numeric column. If None, all are kept.

        Returns
        -------
        Context
            The context.
        """
        return Context(_native.Context.read(path, symmetric, scale, cuts))

    @staticmethod
    def from_crosses(
        crosses: Any,
        objects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        name: str = "data",
    ) -> Context:
        """Create a context from a binary table.

        Parameters
        ----------
        crosses : array or sparse matrix of shape (n_objects, n_attributes)
            Nonzero entries mark the attributes of each object.
        objects : sequence of str, default=None
            Names of the objects. If None, they are numbered from 1.
        attributes : sequence of str, default=None
            Names of the attributes. If None, they are numbered from 1.
        name : str, default="data"
            Name of the context.

        Returns
        -------
        Context
            The context.
        """
        if hasattr(crosses, "toarray"):
            crosses = crosses.toarray()
        crosses = np.asarray(crosses) != 0
        if crosses.ndim != 2:
            raise ValueError(f"found an array with {crosses.ndim} dimension(s); expected 2 dimensions")
        objects = _numbers(crosses.shape[0]) if objects is None else [str(one) for one in objects]
        attributes = _numbers(crosses.shape[1]) if attributes is None else [str(one) for one in attributes]
        return Context(_native.Context.from_crosses(name, objects, attributes, crosses))

    @staticmethod
    def from_frame(
        frame: Any, *, scale: str = "nominal", cuts: int | None = None, name: str = "data"
    ) -> Context:
        """Create a context from a data frame.

        A pandas data frame whose columns are all boolean is used as it is. Any other data frame is scaled.

        Parameters
        ----------
        frame : data frame
            The data. Its rows are the objects.
        scale : {"nominal", "ordinal", "interordinal"}, default="nominal"
            Which attributes to create for a column: one per value ("nominal"), one per upper bound
            ("ordinal"), or one per upper and per lower bound ("interordinal").
        cuts : int, default=None
            Number of cut points to keep per numeric column. If None, all are kept.
        name : str, default="data"
            Name of the context.

        Returns
        -------
        Context
            The context.
        """
        rows = frame.shape[0] if hasattr(frame, "shape") else len(frame)
        objects = [str(label) for label in frame.index] if is_pandas(frame) else _numbers(rows)
        if is_pandas(frame) and len(frame.columns) and all(dtype == bool for dtype in frame.dtypes):
            attributes = [str(column) for column in frame.columns]
            return Context.from_crosses(frame.to_numpy(), objects, attributes, name)
        table = _native.Table(name)
        fill(table, frame)
        return Context(_native.Context.from_table(table, objects, scale, cuts))

    @property
    def name(self) -> str:
        """The name of the context."""
        return self._native.name

    @property
    def objects(self) -> list[str]:
        """The names of the objects."""
        return self._native.objects

    @property
    def attributes(self) -> list[str]:
        """The names of the attributes."""
        return self._native.attributes

    @property
    def crosses(self) -> int:
        """The number of crosses, that is, of pairs of an object and one of its attributes."""
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
        for index, name in enumerate(objects):
            has = set(self._native.row(index))
            marks = "".join(f"<td>{'&times;' if attribute in has else ''}</td>" for attribute in attributes)
            lines.append(f"<tr><th>{escape(name)}</th>{marks}</tr>")
        return f"<table><tr><th></th>{head}</tr>{''.join(lines)}</table>"

    def transposed(self) -> Context:
        """Return the context with objects and attributes exchanged."""
        return Context(self._native.reshape(True))

    def clarified(self) -> Context:
        """Return the context with equal rows merged into one object and equal columns into one attribute."""
        return Context(self._native.reshape(False, "clarify"))

    def reduced(self) -> Context:
        """Return the context without reducible objects and attributes.

        These are objects and attributes that are intersections of others. The lattice keeps its shape.
        """
        return Context(self._native.reshape(False, "reduce"))

    def count(
        self,
        min_support: float = 0,
        *,
        max: int | None = None,
        n_jobs: int | None = None,
        device: str | None = None,
    ) -> int:
        """Count the concepts.

        Parameters
        ----------
        min_support : float, default=0
            Minimum number of objects of a concept, or share of all objects if below 1.
        max : int, default=None
            Maximum number of concepts.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        int
            The number of concepts.
        """
        return self._native.count(self._support(min_support), max, n_jobs, device)[0]

    def digest(self, min_support: float = 0, *, n_jobs: int | None = None, device: str | None = None) -> str:
        """Return a digest of all concepts, which is the same on every device and on the command line.

        Parameters
        ----------
        min_support : float, default=0
            Minimum number of objects of a concept, or share of all objects if below 1.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        str
            The digest, 16 hexadecimal digits.
        """
        return self._native.count(self._support(min_support), None, n_jobs, device)[1]

    def estimate(
        self, min_support: float = 0, *, seed: int = 0, n_jobs: int | None = None
    ) -> ConceptEstimate:
        """Estimate the number of concepts before a long run.

        A context with at most 200,000 concepts is counted.

        Parameters
        ----------
        min_support : float, default=0
            Minimum number of objects of a concept, or share of all objects if below 1.
        seed : int, default=0
            Seed of the sample. One seed gives one estimate, except for the time.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.

        Returns
        -------
        ConceptEstimate
            The number, its 95 % confidence interval, and the time to count the concepts.
        """
        return ConceptEstimate(*self._native.estimate(self._support(min_support), seed, n_jobs))

    def concepts(self, min_support: float = 0, *, max: int | None = None) -> Iterator[Concept]:
        """Iterate over the concepts. Memory use does not grow with their number.

        Parameters
        ----------
        min_support : float, default=0
            Minimum number of objects of a concept, or share of all objects if below 1.
        max : int, default=None
            Maximum number of concepts.

        Yields
        ------
        Concept
            The next concept.
        """
        for intent, extent in self._native.concepts(self._support(min_support), max):
            yield Concept(tuple(intent), tuple(extent))

    def report(
        self,
        min_support: float = 0,
        *,
        path: str | os.PathLike[str] | None = None,
        n_jobs: int | None = None,
    ) -> Report:
        """Return a page to explore the concept lattice: search, zoom, click and expand.

        The page is one HTML file that works offline. Notebooks show it.

        Parameters
        ----------
        min_support : int or float, default=0
            Minimum number of objects, or share of the objects if below 1.
        path : str or path, optional
            The file to write.
        n_jobs : int, optional
            Number of threads. All cores by default.

        Returns
        -------
        Report
            The page.
        """
        return self.lattice(min_support, max=200_000, n_jobs=n_jobs).report(path)

    def lattice(self, min_support: float = 0, *, max: int = 1_000_000, n_jobs: int | None = None) -> Lattice:
        """Compute the concept lattice.

        Parameters
        ----------
        min_support : float, default=0
            Minimum number of objects of a concept, or share of all objects if below 1.
        max : int, default=1_000_000
            Maximum number of concepts.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.

        Returns
        -------
        Lattice
            The lattice.
        """
        return Lattice(self._native.lattice(self._support(min_support), max, n_jobs))

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        expert: str | None = None,
        session: str | os.PathLike[str] | None = None,
    ) -> Report:
        """Return a page that finds the implications of a domain by asking questions.

        The page asks whether an implication of the context is true of every object there is. A
        counterexample becomes an object of the context. The page is one HTML file that works offline. It
        saves the implications, the context with all counterexamples, and the session, which
        ``pellucid explore`` reads, too.

        Parameters
        ----------
        path : str or path, optional
            The file to write.
        expert : str, optional
            Name of the expert who answers.
        session : str or path, optional
            A session of a page or of ``pellucid explore``, which the page continues.

        Returns
        -------
        Report
            The page.
        """
        saved = None if session is None else Path(session).read_text(encoding="utf-8")
        named = None if session is None else os.fspath(session)
        page = Report(self._native.exploration_page(expert, saved, named), "Attribute exploration")
        if path is not None:
            page.save(path)
        return page

    def implications(self, min_support: float = 0, *, max: int | None = None) -> list[Implication]:
        """Compute the Duquenne-Guigues base, the smallest set of implications that entails all others.

        Parameters
        ----------
        min_support : float, default=0
            Minimum number of objects that have the premise, or share of all objects if below 1.
        max : int, default=None
            Maximum number of implications.

        Returns
        -------
        list of Implication
            The implications.
        """
        found = self._native.implications(self._support(min_support), max)
        return [Implication(tuple(one[0]), tuple(one[1]), one[2]) for one in found]

    def association_rules(
        self,
        min_support: float = 1,
        min_confidence: float = 0.8,
        *,
        exact: bool = False,
        max: int | None = None,
    ) -> list[AssociationRule]:
        """Compute association rules.

        Parameters
        ----------
        min_support : float, default=1
            Minimum number of objects that have premise and conclusion, or share of all objects if below 1.
        min_confidence : float, default=0.8
            Minimum confidence of a rule.
        exact : bool, default=False
            Whether to include rules with a confidence of 1.
        max : int, default=None
            Maximum number of rules.

        Returns
        -------
        list of AssociationRule
            The rules.
        """
        found = self._native.association_rules(self._support(min_support), min_confidence, exact, max)
        return [AssociationRule(tuple(rule[0]), tuple(rule[1]), *rule[2:]) for rule in found]

    def clusters(self, *, beginnings: int = 3, random_state: int | None = None) -> Clusters:
        """Cluster the modules of a graph so that few edges connect different clusters.

        The context must be a graph, with the modules as both its objects and its attributes. Hill climbing
        maximizes TurboMQ, without edge directions and weights.

        Parameters
        ----------
        beginnings : int, default=3
            Number of random starting points. The best result is returned.
        random_state : int, default=None
            The seed.

        Returns
        -------
        Clusters
            The partition and its quality.
        """
        clusters, quality = self._native.clusters(beginnings, random_state or 0)
        return Clusters(tuple(tuple(cluster) for cluster in clusters), quality)

    def _support(self, least: float) -> int:
        """Return a number of objects, given a number or a share below 1."""
        if least < 0:
            raise ValueError(f"min_support: found {least}; expected a number of objects or a share below 1")
        if 0 < least < 1:
            return int(np.ceil(least * len(self.objects)))
        return int(least)


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]
