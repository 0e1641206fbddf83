"""Class expressions over ontologies.

Examples
--------
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
from ._explanation import Explanation
from ._model import Model
from ._params import check_keywords, run_options, settings


class KnowledgeBase:
    """An ontology, with the facts that follow from its axioms.

    Parameters
    ----------
    source : str, path or rdflib.Graph
        A file (RDF/XML, OWL/XML, functional or Manchester syntax, OBO, JSON-LD, Turtle, N-Triples,
        N-Quads or TriG) or a graph.
    domains_and_ranges : bool, default=True
        Whether to infer the types of individuals from the domains and ranges of properties.
    label_language : str, default=None
        The language of the labels to show for classes and properties, or 'none' for short names. By
        default, labels replace short names that are codes, such as HP_0001627.
    imports : sequence of str or path, default=()
        More files of the ontology.
    """

    def __init__(
        self,
        source: Any,
        *,
        domains_and_ranges: bool = True,
        label_language: str | None = None,
        imports: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        if isinstance(source, (str, os.PathLike)):
            self._native = _native.KnowledgeBase.read(
                source, domains_and_ranges, label_language, list(imports)
            )
        elif imports:
            raise TypeError("a graph has no imports; add their statements to the graph")
        elif hasattr(source, "serialize"):
            triples = source.serialize(format="nt", encoding="utf-8")
            self._native = _native.KnowledgeBase.parse(
                triples, "graph.nt", domains_and_ranges, label_language
            )
        else:
            kind = type(source).__name__
            raise TypeError(f"found a {kind}; expected the path of a file or an rdflib graph")

    @property
    def name(self) -> str:
        """The name of the ontology."""
        return self._native.name

    @property
    def individuals(self) -> list[str]:
        """The display names of all individuals."""
        return self._native.individuals

    @property
    def notes(self) -> list[str]:
        """Notes about facts that were inferred or assumed, and axioms that were ignored."""
        return self._native.notes

    def __len__(self) -> int:
        return len(self._native)

    def show(self, most: int = 20) -> str:
        """Return a summary of the ontology and of what follows from it.

        Parameters
        ----------
        most : int, default=20
            Maximum number of items to list in each category.

        Returns
        -------
        str
            The text.
        """
        return self._native.text(most)

    def __repr__(self) -> str:
        return f"<KnowledgeBase {self.name!r}: {len(self)} individuals>"

    def _repr_html_(self) -> str:
        from ._html import preformatted

        return preformatted(self.show())

    def learn(
        self,
        positive: Sequence[str] | None = None,
        negative: Sequence[str] | None = None,
        *,
        class_name: str | None = None,
        name: str = "problem",
        **chosen: Any,
    ) -> LogicModel:
        """Learn class expressions that cover the positive individuals and not the negative ones.

        Parameters
        ----------
        positive : sequence of str, default=None
            The positive individuals.
        negative : sequence of str, default=None
            The negative individuals. By default, the other individuals of the same kind: those in the
            largest class without superclasses that contains all positive ones.
        class_name : str, default=None
            Instead of individuals, a class to define. Its instances are positive, and the other instances
            of its smallest superclass are negative. Expressions do not use the class, its equivalents and
            its subclasses.
        name : str, default="problem"
            The name of the learning problem.
        **chosen
            Parameters of the learner, as of ``pellucid learn logic``, and of the run. ``seed`` is an alias
            of ``random_state``.

        Returns
        -------
        LogicModel
            The learned expressions.
        """
        if (positive is None) == (class_name is None):
            raise TypeError("expected either positive individuals or class_name")
        if class_name is not None and negative is not None:
            raise TypeError("class_name determines the negative individuals; omit negative")
        chosen = check_keywords("logic", chosen)
        changed = settings("logic", chosen)
        others = None if negative is None else list(negative)
        model, run = self._native.learn(
            list(positive or []), others, class_name, name, changed, run_options(chosen)
        )
        return LogicModel(model, run, self)

    def retrieve(self, expression: str, *, n_jobs: int | None = None, device: str | None = None) -> list[str]:
        """Return the individuals that a class expression covers.

        Parameters
        ----------
        expression : str
            A class expression in Manchester or DL syntax.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        list of str
            The display names of the individuals.
        """
        answers = self._native.evaluate([expression], cover=True, n_jobs=n_jobs, device=device)
        counts, error, covered = answers[0]
        if counts is None:
            raise ValueError(error)
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
        """Count the individuals that each class expression covers.

        Parameters
        ----------
        expressions : sequence of str
            Class expressions in Manchester or DL syntax.
        positive, negative : sequence of str, default=None
            Positive and negative individuals. If both are None, all individuals are counted together.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        ndarray of shape (n_expressions, 2) or (n_expressions, 1)
            The numbers of positive and negative individuals, or of all individuals.

        Raises
        ------
        ValueError
            If an expression is invalid.
        """
        has_examples = positive is not None or negative is not None
        answers = self._native.evaluate(
            list(expressions),
            list(positive or []) if has_examples else None,
            list(negative or []) if has_examples else None,
            n_jobs=n_jobs,
            device=device,
        )
        for index, (_, error, _) in enumerate(answers):
            if error is not None:
                raise ValueError(f"expression {index} ({expressions[index]!r}): {error}")
        width = 2 if has_examples else 1
        return np.array([counts for counts, _, _ in answers], dtype=np.uint64).reshape(len(answers), width)


class LogicModel(Model):
    """Learned class expressions, together with the ontology they were learned from."""

    def __init__(self, native: _native.Model, run: Any, base: KnowledgeBase) -> None:
        super().__init__(native, run)
        self._base = base

    @property
    def expressions(self) -> list[str]:
        """The learned expressions in Manchester syntax, best first."""
        return [line for line in self.export_text("manchester").splitlines() if line.strip()]

    def export_text(self, form: str) -> str:
        """Return the model in one of its text :attr:`forms`."""
        return self._text(form)

    def predict(  # type: ignore[override]
        self, base: KnowledgeBase | None = None, *, n_jobs: int | None = None, device: str | None = None
    ) -> np.ndarray:
        """Predict the class of each individual: positive if the best expression covers it.

        Parameters
        ----------
        base : KnowledgeBase, default=None
            The ontology. If None, the one the model was trained on.
        n_jobs : int, default=None
            Number of CPU threads. None and -1 use all cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        ndarray of shape (n_individuals,)
            The predicted classes, in the order of ``base.individuals``.
        """
        return super().predict(self._base if base is None else base, n_jobs=n_jobs, device=device)

    def explain(self, base: KnowledgeBase | None = None, individual: int | str = 0) -> Explanation:
        """Explain why the best expression covers an individual or not.

        Parameters
        ----------
        base : KnowledgeBase, default=None
            The ontology. If None, the one the model was trained on.
        individual : int or str, default=0
            The name of the individual or its index in ``base.individuals``.

        Returns
        -------
        Explanation
            The explanation, as text and as data.
        """
        base = self._base if base is None else base
        if isinstance(individual, str):
            return self.explain_individual(individual, base)
        return super().explain(base, individual)

    def members(self, base: KnowledgeBase | None = None) -> list[str]:
        """Return the individuals that the best expression covers.

        Parameters
        ----------
        base : KnowledgeBase, default=None
            The ontology. If None, the one the model was trained on.

        Returns
        -------
        list of str
            The display names of the individuals.
        """
        base = base or self._base
        predictions = base._native.predict(self._native)
        names, codes = predictions.names(), predictions.codes()
        positive = self.classes.index("positive")
        return [name for name, code in zip(names, codes.tolist()) if code == positive]

    def explain_individual(self, individual: str, base: KnowledgeBase | None = None) -> Explanation:
        """Explain why the best expression covers an individual or not.

        Parameters
        ----------
        individual : str
            The name of the individual.
        base : KnowledgeBase, default=None
            The ontology. If None, the one the model was trained on.

        Returns
        -------
        Explanation
            The explanation, as text and as data.
        """
        base = base or self._base
        text, data = base._native.predict(self._native, [individual]).explain(0)
        return Explanation(text, json.loads(data))

    def __reduce__(self) -> tuple[Any, ...]:
        # The ontology has its own file, so it is not pickled with the model.
        return (Model, (self._native, self.run))
