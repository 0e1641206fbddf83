"""Models as the command line has them: learned from a frame and the name of its target, kept in the same files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _native
from ._frames import as_array, fill, is_bags, is_frame, joined
from ._params import checked, described, run_options, settings
from ._warn import warn_user


class Explanation:
    """Why an example gets its class: ``text`` for people, ``data`` for programs."""

    def __init__(self, text: str, data: Any) -> None:
        self.text = text
        self.data = data

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from ._html import preformatted

        return preformatted(self.text)


class Model:
    """What was learned, whichever learner learned it.

    ``print`` shows it as a person reads it; a notebook shows it as a table. The same file opens here and on the command line.
    """

    def __init__(self, native: _native.Model, run: Mapping[str, Any] | None = None) -> None:
        self._native = native
        #: How learning went: scores, stop reason, seconds, notes, history. Empty for a model from a file.
        self.run: dict[str, Any] = dict(run or {})

    @staticmethod
    def from_json(text: str) -> Model:
        """A model from the text of its file."""
        return Model(_native.Model.from_json(text))

    @property
    def learner(self) -> str:
        """The learner that made it."""
        return self._native.learner

    @property
    def classes(self) -> list[str]:
        """The classes; the last is the positive one of two."""
        return self._native.classes

    @property
    def is_number(self) -> bool:
        """Whether it predicts a number, not a class."""
        return self._native.is_number

    @property
    def target(self) -> str | None:
        """The column that it predicts."""
        return self._native.target

    @property
    def bag(self) -> str | None:
        """The column that names the bags, where it is about bags."""
        return self._native.bag

    @property
    def columns(self) -> dict[str, str]:
        """The columns it was learned from, each numeric, nominal or boolean."""
        return dict(self._native.columns)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters it was learned with."""
        return self._native.parameters

    @property
    def summary(self) -> dict[str, Any]:
        """What its learner tells of it in numbers."""
        return self._native.summary

    @property
    def forms(self) -> dict[str, str]:
        """The forms in which it can be written, and what each is."""
        own = dict(described(self.learner)["forms"])
        return {"text": "as a person reads it", "json": "the model file", **own}

    @property
    def is_calibrated(self) -> bool:
        """Whether its scores become probabilities."""
        return self._native.is_calibrated

    def show(self, rules: int | None = None) -> str:
        """The model as a person reads it, with about so many rules if the learner keeps models of several sizes."""
        return self._native.text() if rules is None else self.with_rules(rules).show()

    def with_rules(self, rules: int) -> Model:
        """The same model with about so many rules."""
        return Model(self._native.with_rules(rules), self.run)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, which the command line opens too."""
        self._native.save(path)

    def export(self, form: str, table: str = "data", view: str | None = None) -> str | bytes:
        """The model in one of its forms; what is no text comes as bytes."""
        written = self._native.write(form, table, view)
        if form == "onnx":
            return written
        return written.decode()

    def _text(self, form: str, table: str = "data", view: str | None = None) -> str:
        return self._native.write(form, table, view).decode()

    def to_json(self) -> str:
        """The text of the model file."""
        return self._native.to_json()

    def to_sql(self, table: str = "data", view: str | None = None) -> str:
        """A query that predicts in a database."""
        return self._text("sql", table, view)

    def to_python(self) -> str:
        """A Python module that predicts, and needs nothing else."""
        return self._text("python")

    def to_html(self, part: bool = False) -> str:
        """A page for people; with ``part`` only what is in it, to stand in another page."""
        return self._native.write("html", part=part).decode()

    def to_onnx(self) -> bytes:
        """The model for ONNX runtimes."""
        return self._native.write("onnx")

    def _predictions(
        self,
        X: Any,
        n_jobs: int | None = None,
        device: str | None = None,
        threshold: float | None = None,
        cost: Mapping[str, float] | None = None,
    ) -> _native.Predictions:
        if self.learner == "logic":
            return self._individuals(X, n_jobs, device, threshold, cost)
        table = _native.Table("data")
        if is_bags(X):
            X, numbers = joined(X)
            fill(table, X)
            table.add_numbers(self.bag or "bag", numbers)
        else:
            X = X if is_frame(X) else as_array(X)
            if not is_frame(X) and X.ndim != 2:
                wanted = "a frame, an array of two or a list of bags was expected"
                raise ValueError(f"found an array of {X.ndim} dimensions; {wanted}")
            fill(table, X)
        found = self._native.predict(table, n_jobs, device, threshold, None if cost is None else dict(cost))
        return warned(found)

    def _individuals(
        self, base: Any, n_jobs: int | None, device: str | None, threshold: float | None, cost: Any
    ) -> _native.Predictions:
        """The answers for all individuals of an ontology."""
        from .logic import KnowledgeBase

        if not isinstance(base, KnowledgeBase):
            kind = type(base).__name__
            wanted = "a model of class expressions predicts from a pellucid.logic.KnowledgeBase"
            raise TypeError(f"found a {kind}; {wanted}")
        if threshold is not None or cost is not None:
            raise ValueError("threshold and cost need probabilities, which class expressions do not have")
        return base._native.predict(self._native, None, n_jobs, device)

    def predict(
        self,
        X: Any,
        *,
        threshold: float | None = None,
        cost: Mapping[str, float] | None = None,
        n_jobs: int | None = None,
        device: str | None = None,
    ) -> np.ndarray:
        """The class or the number of every row, or of every bag in the order in which bags first appear.

        A model of class expressions takes a :class:`pellucid.logic.KnowledgeBase` and predicts all its
        individuals, in their order.
        """
        found = self._predictions(X, n_jobs, device, threshold, cost)
        numbers = found.numbers()
        return np.array(self.classes)[found.codes()] if numbers is None else numbers

    def predict_proba(self, X: Any, *, n_jobs: int | None = None, device: str | None = None) -> np.ndarray:
        """The probability of each class, in the order of ``classes``.

        Raises ``ValueError`` if the model is not calibrated.
        """
        if not self.is_calibrated:
            raise ValueError(no_probabilities(self))
        return probabilities(self._predictions(X, n_jobs, device))

    def explain(self, X: Any, row: int = 0) -> Explanation:
        """Why a row, the bag or the individual of that number gets its class."""
        text, data = self._predictions(X).explain(row)
        return Explanation(text, json.loads(data))

    def __repr__(self) -> str:
        return self.show()

    def _repr_html_(self) -> str:
        from ._html import model_page

        return model_page(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model, (self._native, self.run))


def warned(found: _native.Predictions) -> _native.Predictions:
    """The same predictions, after a warning for each column with categories that the model has never seen."""
    for told in found.unseen:
        warn_user(told)
    return found


def no_probabilities(model: Model) -> str:
    """Why a model has no probabilities, and how to get one that has."""
    if model.is_number:
        return "the model predicts a number, which has no probabilities"
    if model.learner == "logic":
        return "class expressions hold or do not hold; they have no probabilities"
    return (
        "the model is not calibrated, so its scores are not probabilities; learn it with inner_folds=5 (the "
        "default) and at least a few rows of each class in every fold. predict and decision_function need no "
        "probabilities"
    )


def probabilities(found: _native.Predictions) -> np.ndarray:
    """The calibrated probability of each class."""
    shares = found.probabilities()
    if shares is None:
        raise ValueError("some examples have no scores, so they have no probabilities")
    return shares


def load(path: str | os.PathLike[str]) -> Model:
    """Opens a model file, whichever learner made it."""
    return Model(_native.Model.load(path))


def learn(
    learner: str,
    frame: Any,
    *,
    target: str,
    bag: str | None = None,
    weight: str | None = None,
    groups: str | None = None,
    nominal: list[str] | None = None,
    keep: list[str] | None = None,
    ignore: list[str] | None = None,
    positive_class: str | None = None,
    task: str = "auto",
    **chosen: Any,
) -> Model:
    """Learns from a frame as the command line learns from a file.

    ``target``, ``bag``, ``weight`` and ``groups`` are columns of the frame, as with ``--target`` and so on.
    ``task`` says whether the target is ``classes`` or a ``number``. All other keywords are parameters of the
    learner and of the run; ``seed`` is another name of ``random_state``. The same data, seed and parameters
    give the same model file.

    A column that seems to number or to name the rows is left out, with a warning. ``keep`` lists columns that
    stay, and ``ignore`` columns to leave out. This is decided once, on the whole frame.
    """
    chosen = checked(learner, chosen)
    table = _native.Table("data")
    if ignore:
        frame = frame.drop(columns=list(ignore)) if hasattr(frame, "iloc") else frame.drop(list(ignore))
    fill(table, frame)
    roles = {
        "target": target,
        "bag": bag,
        "weight": weight,
        "groups": groups,
        "nominal": list(nominal or []),
        "keep": list(keep or []),
        "keep_identifiers": False,
        "positive_class": positive_class,
        "refuses_odd_targets": True,
        "task": task,
        "drop_class": [],
    }
    model, run = _native.fit_table(learner, table, roles, settings(learner, chosen), run_options(chosen))
    for column in run["left_out"]:
        warn_user(
            f"column {column!r} was left out, as it seems to number or to name the rows; keep=[{column!r}] "
            f"keeps it, and ignore=[{column!r}] leaves it out without this warning"
        )
    return Model(model, run)
