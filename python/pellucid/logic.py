"""Class expressions over an ontology, learned from individuals.

>>> from pellucid.logic import KnowledgeBase
>>> family = KnowledgeBase("examples/family.ttl")
>>> family.retrieve("Male and hasChild min 2")  # doctest: +SKIP
>>> model = family.learn(positive=[...], negative=[...])  # doctest: +SKIP
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from ._model import Explanation, Model
from ._params import check_keywords, run_options, settings


class KnowledgeBase:
    """An ontology with its conclusions drawn, from a file (RDF/XML, Turtle, N-Triples) or an ``rdflib.Graph``."""

    def __init__(self, source: Any, *, domains_and_ranges: bool = True) -> None:
        if isinstance(source, (str, os.PathLike)):
            self._native = _native.KnowledgeBase.read(source, domains_and_ranges)
        elif hasattr(source, "serialize"):
            triples = source.serialize(format="nt", encoding="utf-8")
            self._native = _native.KnowledgeBase.parse(triples, "graph.nt", domains_and_ranges)
        else:
            kind = type(source).__name__
            raise TypeError(f"found a {kind}; the path of a file or an rdflib graph was expected")

    @property
    def name(self) -> str:
        """What it is called."""
        return self._native.name

    @property
    def individuals(self) -> list[str]:
        """Everybody, by the names they are shown by."""
        return self._native.individuals

    @property
    def notes(self) -> list[str]:
        """What was concluded, assumed or passed over."""
        return self._native.notes

    def __len__(self) -> int:
        return len(self._native)

    def show(self, most: int = 20) -> str:
        """What there is and what follows from it; of every kind at most so many."""
        return self._native.text(most)

    def __repr__(self) -> str:
        return f"<KnowledgeBase {self.name!r}: {len(self)} individuals>"

    def _repr_html_(self) -> str:
        from ._html import preformatted

        return preformatted(self.show())

    def learn(
        self, positive: Sequence[str], negative: Sequence[str], *, name: str = "problem", **chosen: Any
    ) -> LogicModel:
        """Learns class expressions that hold for the positive individuals and not for the negative ones.

        Keywords are the parameters of the learner, as of ``pellucid learn logic``, and those of the run;
        ``seed`` is another name of ``random_state``.
        """
        chosen = check_keywords("logic", chosen)
        told = settings("logic", chosen)
        model, run = self._native.learn(list(positive), list(negative), name, told, run_options(chosen))
        return LogicModel(model, run, self)

    def retrieve(self, expression: str, *, n_jobs: int | None = None, device: str | None = None) -> list[str]:
        """Whom an expression (Manchester or DL syntax) holds for."""
        counts, why, covered = self._native.evaluate([expression], cover=True, n_jobs=n_jobs, device=device)[0]
        if counts is None:
            raise ValueError(why)
        return covered or []

    def evaluate(
        self,
        expressions: Sequence[str],
        positive: Sequence[str] | None = None,
        negative: Sequence[str] | None = None,
        *,
        n_jobs: int | None = None,
        device: str | None = None,
    ) -> np.ndarray:
        """For each expression how many positive and negative individuals it holds for, or how many of everybody."""
        named = positive is not None or negative is not None
        answers = self._native.evaluate(
            list(expressions),
            list(positive or []) if named else None,
            list(negative or []) if named else None,
            n_jobs=n_jobs,
            device=device,
        )
        for place, (_, why, _) in enumerate(answers):
            if why is not None:
                raise ValueError(f"expression {place} ({expressions[place]!r}): {why}")
        width = 2 if named else 1
        return np.array([counts for counts, _, _ in answers], dtype=np.uint64).reshape(len(answers), width)


class LogicModel(Model):
    """Class expressions that were learned, and the ontology they were learned from."""

    def __init__(self, native: _native.Model, run: Any, base: KnowledgeBase) -> None:
        super().__init__(native, run)
        self._base = base

    @property
    def expressions(self) -> list[str]:
        """The expressions that were found, the best first, in Manchester syntax."""
        return [line for line in self.export_text("manchester").splitlines() if line.strip()]

    def export_text(self, form: str) -> str:
        """The model in one of its forms that are text."""
        return self._text(form)

    def predict(  # type: ignore[override]
        self, base: KnowledgeBase | None = None, *, n_jobs: int | None = None, device: str | None = None
    ) -> np.ndarray:
        """The class of every individual, in the order of ``base.individuals``.

        It is positive where the best expression holds.
        """
        return super().predict(self._base if base is None else base, n_jobs=n_jobs, device=device)

    def explain(self, base: KnowledgeBase | None = None, individual: int | str = 0) -> Explanation:
        """Why the best expression holds or does not hold for an individual.

        The individual is given by its name or by its number among ``base.individuals``.
        """
        base = self._base if base is None else base
        if isinstance(individual, str):
            return self.explain_individual(individual, base)
        return super().explain(base, individual)

    def members(self, base: KnowledgeBase | None = None) -> list[str]:
        """Whom the best expression holds for."""
        base = base or self._base
        found = base._native.predict(self._native)
        names, codes = found.names(), found.codes()
        positive = self.classes.index("positive")
        return [name for name, code in zip(names, codes.tolist()) if code == positive]

    def explain_individual(self, individual: str, base: KnowledgeBase | None = None) -> Explanation:
        """Why the best expression holds for an individual, or why not."""
        base = base or self._base
        text, data = base._native.predict(self._native, [individual]).explain(0)
        return Explanation(text, json.loads(data))

    def __reduce__(self) -> tuple[Any, ...]:
        # An ontology is a file of its own; the model goes without it.
        return (Model, (self._native, self.run))
