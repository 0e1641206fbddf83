"""Models: what they predict, explain and report.

Model files are the same as those of the command line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _native
from ._alternatives import Alternative
from ._explanation import Explanation, example_index, first_explanation
from ._exports import ModelExports
from ._frames import (
    add_values,
    add_words,
    as_array,
    column_names,
    column_values,
    fill,
    is_bags,
    is_frame,
    is_sparse,
    join_bags,
    table_rows,
    take_rows,
)
from ._jobs import thread_count
from ._params import learner_info
from ._report import Report, model_report
from ._rules import RuleTable, rule_table, size_table, starting_scores
from ._tables import RecordTable
from ._warn import warn_user


class Model(ModelExports):
    """A trained model of any learner.

    ``print`` shows the model as text, and notebooks show it as HTML. Model files can be exchanged with the
    command line.

    Attributes
    ----------
    run : dict
        Information about the training run: scores, stop reason, seconds, notes and history. Empty for a
        model that was loaded from a file.
    out_of_fold : dict or None
        The out-of-fold predictions of the training examples: ``actual`` and ``predicted`` are class indices,
        and ``probabilities`` has one column per class. None for a model that was loaded from a file, and for
        numbers.
    alternatives : list of Alternative
        Models without the leading columns, if ``learn`` was asked for them.
    """

    def __init__(self, native: _native.Model, run: Mapping[str, Any] | None = None) -> None:
        self._native = native
        self.run: dict[str, Any] = dict(run or {})
        self.out_of_fold: dict[str, Any] | None = self.run.pop("out_of_fold", None)
        self.alternatives: list[Alternative] = [
            Alternative(without, Model(*other), figures)
            for without, other, figures in self.run.pop("alternatives", [])
        ]

    @staticmethod
    def from_json(text: str) -> Model:
        """Load a model from the text of its model file.

        Parameters
        ----------
        text : str
            The content of a model file, as :meth:`to_json` returns it.

        Returns
        -------
        Model
            The model.
        """
        return Model(_native.Model.from_json(text))

    @property
    def learner(self) -> str:
        """The name of the learner that trained the model."""
        return self._native.learner

    @property
    def classes(self) -> list[str]:
        """The class labels. If there are two, the second is the positive class."""
        return self._native.classes

    @property
    def is_number(self) -> bool:
        """Whether the model predicts a number instead of a class."""
        return self._native.is_number

    @property
    def target(self) -> str | None:
        """The name of the target column."""
        return self._native.target

    @property
    def bag(self) -> str | None:
        """The column that identifies the bag of each row, or None if the model was trained on rows."""
        return self._native.bag

    @property
    def columns(self) -> dict[str, str]:
        """The columns the model was trained on, and their types: numeric, nominal or boolean."""
        return dict(self._native.columns)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters the model was trained with."""
        return self._native.parameters

    @property
    def summary(self) -> dict[str, Any]:
        """Key figures of the model, such as its number of rules."""
        return self._native.summary

    @property
    def forms(self) -> dict[str, str]:
        """The forms that :meth:`export` writes, with a description of each."""
        own = dict(learner_info(self.learner)["forms"])
        return {"text": "readable text", "json": "the model file", **own}

    @property
    def is_calibrated(self) -> bool:
        """Whether the model predicts probabilities."""
        return self._native.is_calibrated

    def show(self, rules: int | None = None) -> str:
        """Return the model as readable text.

        Parameters
        ----------
        rules : int, default=None
            Approximate number of rules, for learners that keep models of several sizes. If None, the
            selected size is shown.

        Returns
        -------
        str
            The text.
        """
        return self._native.text() if rules is None else self.with_rules(rules).show()

    def with_rules(self, rules: int) -> Model:
        """Return the same model with another number of rules.

        Parameters
        ----------
        rules : int
            Approximate number of rules. The closest size that the learner kept is used.

        Returns
        -------
        Model
            The model of that size.
        """
        return Model(self._native.with_rules(rules), self.run)

    @property
    def rules(self) -> RuleTable:
        """The rules of the model, as records that can be applied to data."""
        return rule_table(self, self._predict_with)

    @property
    def intercept(self) -> np.ndarray:
        """The starting score of each class, or the starting number."""
        return starting_scores(self)

    @property
    def path(self) -> RecordTable[dict[str, Any]]:
        """Accuracy by number of rules, for models that keep several sizes."""
        return size_table(self)

    def _predict_with(self, model: _native.Model, X: Any, bags: Any) -> _native.Predictions:
        """Return the predictions of another model with the same columns."""
        table = self._table(X)
        if bags is not None:
            add_words(table, self.bag or "bag", [str(bag) for bag in np.asarray(bags).tolist()])
        return model.predict(table, thread_count(None))

    def _predictions(
        self,
        X: Any,
        n_jobs: int | None = None,
        device: str | None = None,
        threshold: float | None = None,
        cost: Mapping[Any, float] | None = None,
    ) -> _native.Predictions:
        n_jobs = thread_count(n_jobs)
        if self.learner == "logic":
            return self._individuals(X, n_jobs, device, threshold, cost)
        costs = None if cost is None else {str(label): float(cost[label]) for label in cost}
        return warn_unseen(self._native.predict(self._table(X), n_jobs, device, threshold, costs))

    def _table(self, X: Any, first_bag: int = 1) -> _native.Table:
        """Return the examples as a table. The bags of a list are numbered from ``first_bag`` on."""
        table = _native.Table("data")
        if is_bags(X):
            X, bag_numbers = join_bags(X)
            fill(table, X)
            table.add_numbers(self.bag or "bag", bag_numbers + (first_bag - 1))
            return table
        X = table_rows(X)
        if not is_frame(X) and not is_sparse(X) and X.ndim != 2:
            expected = "a data frame, an array with 2 dimensions or a list of bags"
            raise ValueError(f"found an array with {X.ndim} dimension(s); expected {expected}")
        fill(table, X)
        return table

    def _individuals(
        self, base: Any, n_jobs: int | None, device: str | None, threshold: float | None, cost: Any
    ) -> _native.Predictions:
        """Return the predictions for all individuals of an ontology."""
        from .logic import KnowledgeBase

        if not isinstance(base, KnowledgeBase):
            kind = type(base).__name__
            expected = "a pellucid.logic.KnowledgeBase, because this is a model of class expressions"
            raise TypeError(f"found a {kind}; expected {expected}")
        if threshold is not None or cost is not None:
            raise ValueError("threshold and cost need probabilities; class expressions have no probabilities")
        return base._native.predict(self._native, None, n_jobs, device)

    def predict(
        self,
        X: Any,
        *,
        threshold: float | None = None,
        cost: Mapping[Any, float] | None = None,
        n_jobs: int | None = None,
        device: str | None = None,
    ) -> np.ndarray:
        """Predict the class or the number of each example.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns), list of bags, or KnowledgeBase
            The examples. A model of class expressions needs a :class:`pellucid.logic.KnowledgeBase` and
            predicts all its individuals.
        threshold : float, default=None
            Predict the positive class if its probability reaches this threshold. For two classes only.
        cost : mapping from class to float, default=None
            The cost of missing an example of each class, 1 by default. The class with the lowest expected
            cost is predicted.
        n_jobs : int, default=None
            Number of CPU threads. None means 1 unless in a joblib.parallel_config context. -1 uses all
            cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predictions, one per row, bag or individual. Bags are in the order of their first rows.
        """
        predictions = self._predictions(X, n_jobs, device, threshold, cost)
        numbers = predictions.numbers()
        return np.array(self.classes)[predictions.codes()] if numbers is None else numbers

    def predict_proba(self, X: Any, *, n_jobs: int | None = None, device: str | None = None) -> np.ndarray:
        """Predict the probability of each class.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples.
        n_jobs : int, default=None
            Number of CPU threads. None means 1 unless in a joblib.parallel_config context. -1 uses all
            cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        ndarray of shape (n_examples, n_classes)
            The probabilities, with columns in the order of :attr:`classes`.

        Raises
        ------
        ValueError
            If the model is not calibrated.
        """
        if not self.is_calibrated:
            raise ValueError(no_probabilities(self))
        return probabilities(self._predictions(X, n_jobs, device))

    def explain(self, X: Any, row: int = 0) -> Explanation:
        """Explain the prediction for one example.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns), list of bags, or KnowledgeBase
            The examples.
        row : int, default=0
            The index of the row, bag or individual to explain, counted from 0. Negative numbers count from
            the end.

        Returns
        -------
        Explanation
            The explanation, as text and as data. Rows are counted from 0.
        """
        if self.learner == "logic":
            predictions = self._predictions(X)
            text, data = predictions.explain(example_index(row, len(predictions)))
            return Explanation(text, json.loads(data))
        if is_bags(X):
            index = example_index(row, len(X))
            start = sum(bag.shape[0] for bag in X[:index])
            rows = np.arange(start, start + X[index].shape[0])
            table = self._table([X[index]], first_bag=index + 1)
            predictions = warn_unseen(self._native.predict(table, thread_count(None)))
            return first_explanation(predictions, rows, index)
        X = table_rows(X)
        index, rows = self._rows_of_example(X, row)
        return first_explanation(self._predictions(take_rows(X, rows)), rows, index)

    def report(
        self,
        X: Any = None,
        y: Any = None,
        *,
        path: str | os.PathLike[str] | None = None,
        fixed: Sequence[str] | None = None,
        by: str | None = None,
        rules: int | None = None,
        n_jobs: int | None = None,
        device: str | None = None,
    ) -> Report:
        """Return a report on the model: one page that predicts and explains offline.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns), list of bags, or KnowledgeBase, default=None
            The examples to evaluate the model on. They may have the target column. If None, the report
            shows the held-out figures of the training run. A model that was loaded from a file or unpickled
            does not have them.
        y : array of shape (n_examples,), or a pair of lists, default=None
            The actual class or number of each row or bag, if X does not have the target column. With a
            :class:`pellucid.logic.KnowledgeBase`, the positive and the negative individuals.
        path : str or path, default=None
            A file to write the page to.
        fixed : sequence of str, default=None
            Columns that cannot be changed, such as age. Suggested changes leave them as they are.
        by : str, default=None
            A column of X whose values form groups. The figures are shown for each group.
        rules : int, default=None
            Approximate number of rules, for models that keep several sizes. If None, the selected size.
        n_jobs : int, default=None
            Number of CPU threads. None means 1 unless in a joblib.parallel_config context. -1 uses all
            cores.
        device : str, default=None
            Devices to use, as listed by ``pellucid devices``. None uses all devices.

        Returns
        -------
        Report
            The page. Notebooks show it.
        """
        if rules is not None:
            smaller = self.with_rules(rules)
            return smaller.report(X, y, path=path, fixed=fixed, by=by, n_jobs=n_jobs, device=device)
        n_jobs = thread_count(n_jobs)
        if self.learner == "logic":
            html = self._individuals_report(X, y, n_jobs, device)
        else:
            table = None if X is None else self._labeled_table(X, y)
            html = _native.report_model(self._native, table, list(fixed or []), by, n_jobs, device)
        return model_report(html, self, path)

    def _labeled_table(self, X: Any, y: Any) -> _native.Table:
        """Return the examples as a table, with y as the target column if it is given."""
        table = self._table(X)
        if y is None:
            return table
        target = self.target or "target"
        if target in table.names:
            raise ValueError(f"X has the target column {target!r}; use either that column or y")
        values = as_array(y)
        if is_bags(X) and len(values) == len(X):
            values = np.repeat(values, [bag.shape[0] for bag in X])
        if len(values) != table.rows:
            raise ValueError(f"y: found {len(values)} values; expected {table.rows}, one per row")
        if self.is_number:
            add_values(table, target, np.asarray(values, dtype=np.float64))
        else:
            add_words(table, target, [str(label) for label in values.tolist()])
        return table

    def _individuals_report(self, base: Any, examples: Any, n_jobs: int | None, device: str | None) -> str:
        """Return the page of a model of class expressions."""
        if base is None or examples is None:
            return _native.report_model(self._native)
        positive, negative = examples
        return _native.report_individuals(
            self._native, base._native, list(positive), list(negative), n_jobs, device
        )

    def _rows_of_example(self, X: Any, row: int) -> tuple[int, np.ndarray]:
        """Return the index of a row or bag, counted from 0, and its rows."""
        if self.bag is None or self.bag not in column_names(X):
            index = example_index(row, X.shape[0])
            return index, np.array([index])
        bags = [str(bag) for bag in column_values(X, self.bag)]
        names = list(dict.fromkeys(bags))
        index = example_index(row, len(names))
        return index, np.flatnonzero(np.array(bags, dtype=object) == names[index])

    def __repr__(self) -> str:
        return self.show()

    def _repr_html_(self) -> str:
        from ._html import model_page

        return model_page(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model, (self._native, {**self.run, "out_of_fold": self.out_of_fold}))


def warn_unseen(predictions: _native.Predictions) -> _native.Predictions:
    """Warn about each column with categories that the model does not know, and return the predictions."""
    for message in predictions.unseen:
        warn_user(message)
    return predictions


def no_probabilities(model: Model) -> str:
    """Return why a model has no probabilities, and how to train one that has."""
    if model.is_number:
        return "the model predicts a number, so it has no class probabilities"
    if model.learner == "logic":
        return "a class expression is either true or false for an individual; it has no probabilities"
    return (
        "the model is not calibrated, so its scores are not probabilities; train it with inner_folds=5 (the "
        "default) and at least a few rows of each class in every fold. predict and decision_function do not "
        "need probabilities"
    )


def probabilities(predictions: _native.Predictions) -> np.ndarray:
    """Return the calibrated probability of each class."""
    by_class = predictions.probabilities()
    if by_class is None:
        raise ValueError("some examples have no score, so they have no probabilities")
    return by_class


def load(path: str | os.PathLike[str]) -> Model:
    """Load a model file of any learner.

    Parameters
    ----------
    path : str or path
        The model file, written by :meth:`Model.save` or by the command line.

    Returns
    -------
    Model
        The model.
    """
    return Model(_native.Model.load(path))
