"""What is found in a formal context: concepts, implications, association rules and clusters."""

from __future__ import annotations

from typing import NamedTuple


class Concept(NamedTuple):
    """A formal concept: all objects that share certain attributes, and all attributes they share.

    Attributes
    ----------
    intent : tuple of str
        The shared attributes.
    extent : tuple of str
        The objects.
    """

    intent: tuple[str, ...]
    extent: tuple[str, ...]


class ConceptEstimate(NamedTuple):
    """The estimated number of concepts of a context.

    Attributes
    ----------
    concepts : int
        The number of concepts, or its estimate.
    low : int
        The lower end of the 95 % confidence interval.
    high : int
        The upper end of the 95 % confidence interval.
    exact : bool
        Whether the concepts were counted.
    seconds : float
        The time to count them.
    """

    concepts: int
    low: int
    high: int
    exact: bool
    seconds: float


class Implication(NamedTuple):
    """An implication: every object with the premise also has the conclusion.

    Attributes
    ----------
    premise : tuple of str
        Attributes.
    conclusion : tuple of str
        Attributes that follow from the premise.
    support : int
        Number of objects that have the premise.
    """

    premise: tuple[str, ...]
    conclusion: tuple[str, ...]
    support: int

    def __str__(self) -> str:
        premise = ", ".join(self.premise) or "(nothing)"
        return f"{premise} -> {', '.join(self.conclusion)}  [{self.support}]"


class AssociationRule(NamedTuple):
    """An association rule: objects with the premise often have the conclusion.

    Attributes
    ----------
    premise : tuple of str
        Attributes.
    conclusion : tuple of str
        Attributes that often occur together with the premise.
    support : int
        Number of objects that have the premise and the conclusion.
    confidence : float
        Share of the objects with the premise that have the conclusion.
    lift : float
        Confidence divided by the share of all objects that have the conclusion.
    """

    premise: tuple[str, ...]
    conclusion: tuple[str, ...]
    support: int
    confidence: float
    lift: float


class Clusters(NamedTuple):
    """A partition of the modules of a graph into clusters.

    Attributes
    ----------
    clusters : tuple of tuple of str
        The modules of each cluster.
    quality : float
        The TurboMQ value, a sum over clusters. A cluster without edges to other clusters adds 1, and a
        cluster without edges inside adds 0.
    """

    clusters: tuple[tuple[str, ...], ...]
    quality: float
