"""The lattice of the concepts of a context."""

from __future__ import annotations

import os
from collections.abc import Iterator

from . import _native
from ._concept_results import Concept
from ._report import Report


class Lattice:
    """A concept lattice, with concepts numbered from the top down. Notebooks show its diagram."""

    #: Maximum number of concepts for which a notebook shows the diagram.
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
        """The number of edges of the diagram."""
        return self._native.edges

    @property
    def top(self) -> int:
        """The number of the concept with all objects."""
        return 0

    @property
    def bottom(self) -> int | None:
        """The number of the concept with all attributes, or None if its support is too low."""
        return self._native.bottom

    def support(self, concept: int) -> int:
        """Return the number of objects of a concept."""
        return self._native.support(concept)

    def lower(self, concept: int) -> list[int]:
        """Return the lower neighbors of a concept."""
        return self._native.lower(concept)

    def upper(self, concept: int) -> list[int]:
        """Return the upper neighbors of a concept."""
        return self._native.upper(concept)

    def meet(self, a: int, b: int) -> int | None:
        """Return the largest concept below two concepts, or None if its support is too low."""
        return self._native.meet(a, b)

    def join(self, a: int, b: int) -> int:
        """Return the smallest concept above two concepts."""
        return self._native.join(a, b)

    def svg(self, labels: str = "auto", *, interactive: bool = False) -> str:
        """Return the diagram as SVG.

        Parameters
        ----------
        labels : {"auto", "all", "hover"}, default="auto"
            Which labels to show.
        interactive : bool, default=False
            Whether the diagram responds to the pointer.

        Returns
        -------
        str
            The SVG text.
        """
        return self._native.svg(labels, interactive)

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """Return a page to explore the lattice: search, zoom, click and expand.

        The page is one HTML file that works offline, for up to 200,000 concepts. Notebooks show it.

        Parameters
        ----------
        path : str or path, optional
            The file to write.

        Returns
        -------
        Report
            The page.
        """
        page = Report(self._native.page(), "Concept lattice")
        if path is not None:
            page.save(path)
        return page

    def to_dot(self) -> str:
        """Return the lattice as a Graphviz file."""
        return self._native.dot()

    def to_json(self) -> str:
        """Return the lattice as JSON."""
        return self._native.to_json()

    def __repr__(self) -> str:
        return f"<Lattice: {len(self)} concepts, {self.edges} edges>"

    def _repr_html_(self) -> str | None:
        return self.svg() if len(self) <= self.drawn else None
