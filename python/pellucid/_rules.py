"""Rules of a model as records that can be applied to data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._tables import RecordTable, frame_of

if TYPE_CHECKING:
    from ._model import Model

# Returns the predictions of a model for some examples.
Predict = Callable[[_native.Model, Any, Any], _native.Predictions]


class Rule(Mapping[str, Any]):
    """A rule: a record with its condition, points and training figures.

    The keys are

    - ``rule``: the number of the rule in the model, counted from 1;
    - ``condition``: the condition, which :class:`pellucid.Engine` can evaluate;
    - ``class``: the class with the most points (not for numbers);
    - ``points``: the points that the rule adds, by class, or a number;
    - ``covered`` and ``coverage``: the number and the share of covered training examples;
    - ``precision``: the share of ``class`` among the covered training examples (not for numbers);
    - ``stability``: the share of the inner folds in which a rule with the same columns and directions was
      found, or ``None`` if there were no folds.
    """

    def __init__(self, record: dict[str, Any], mask: Callable[[Any, Any], np.ndarray]) -> None:
        self._record = record
        self._mask = mask

    def __getitem__(self, name: str) -> Any:
        return self._record[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._record)

    def __len__(self) -> int:
        return len(self._record)

    @property
    def condition(self) -> str:
        """The condition of the rule."""
        text: str = self._record["condition"]
        return text

    @property
    def points(self) -> Any:
        """The points that the rule adds: a mapping from class to points, or a number."""
        return self._record["points"]

    @property
    def columns(self) -> list[str]:
        """The columns that the condition uses."""
        return _native.condition_columns(self.condition)

    def mask(self, X: Any, *, bags: Any = None) -> np.ndarray:
        """Return which examples the rule covers.

        In mode ``list``, rules before this one are ignored.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples, as for ``predict``.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of bool of shape (n_examples,)
            Whether the rule covers each row or bag.
        """
        return self._mask(X, bags)

    def __repr__(self) -> str:
        return f"Rule({self._record!r})"


class RuleTable(RecordTable[Rule]):
    """The rules of a model, as a list of records. ``to_frame()`` returns a pandas data frame."""

    def columns(self) -> dict[str, list[Any]]:
        """Return the values of each column, with one column of points per class."""
        columns = super().columns()
        points = columns.pop("points", [])
        if not points or not isinstance(points[0], Mapping):
            return {**columns, "points": points} if points else columns
        classes = list(dict.fromkeys(label for by_class in points for label in by_class))
        for label in sorted(classes, key=str):
            columns[f"points_{label}"] = [by_class.get(label, 0.0) for by_class in points]
        return columns

    def to_frame(self) -> Any:
        """Return the rules as a pandas data frame, with one column of points per class."""
        return frame_of(self.columns())


def rule_table(model: Model, predict: Predict, label: Callable[[str], Any] = str) -> RuleTable:
    """Return the rules of a model. ``label`` returns the label of a class name."""
    stored = json.loads(model.to_json())
    body = stored["model"]
    if "rules" not in body:
        raise AttributeError(f"a model of the learner {model.learner!r} has no rules")
    labels = [label(name) for name in model.classes]
    total = sum(body.get("examples", [])) or None

    def rule(index: int) -> Rule:
        def mask(X: Any, bags: Any) -> np.ndarray:
            return covered_examples(predict(only_rule(stored, index), X, bags))

        return Rule(_record(body["rules"][index], index, labels, total), mask)

    return RuleTable(rule(index) for index in range(len(body["rules"])))


def points_by_class(rule: Mapping[str, Any], labels: list[Any]) -> dict[Any, float]:
    """Return the points that a stored rule adds, by label."""
    entries = [rule, *rule.get("others", [])]
    return {labels[entry["class"]]: float(entry["votes"]) for entry in entries}


def _record(rule: Mapping[str, Any], index: int, labels: list[Any], total: float | None) -> dict[str, Any]:
    covered = rule.get("covered", [])
    record: dict[str, Any] = {"rule": index + 1, "condition": rule["when"]}
    if labels:
        points = points_by_class(rule, labels)
        strongest = max(points, key=lambda label: abs(points[label])) if points else None
        record |= {"class": strongest, "points": points}
    else:
        record["points"] = float(rule["votes"])
    count = sum(covered)
    record |= {"covered": count, "coverage": count / total if total else None}
    if labels:
        known = record["class"] is not None and len(covered) == len(labels) and count
        record["precision"] = covered[labels.index(record["class"])] / count if known else None
    found = rule.get("found_in")
    record["stability"] = found["folds"] / found["of"] if found else None
    return record


def only_rule(stored: Mapping[str, Any], index: int) -> _native.Model:
    """Return a model that has a single rule and no starting score."""
    body = dict(stored["model"])
    for name in ("path", "path_figures", "groups", "front", "ordered", "everyone"):
        body.pop(name, None)
    for name in ("rules", "figures"):
        if name in body:
            body[name] = [body[name][index]]
    body["base"] = [0.0] * len(body["base"])
    kept = {name: value for name, value in stored.items() if name != "calibration"}
    return _native.Model.from_json(json.dumps({**kept, "model": body}))


def covered_examples(predictions: _native.Predictions) -> np.ndarray:
    """Return which examples a model with a single rule covers: those with a score other than 0."""
    numbers = predictions.numbers()
    if numbers is not None:
        covered: np.ndarray = numbers != 0.0
        return covered
    scores = predictions.votes()
    if scores is None:
        raise ValueError("the model has no scores, so its rules cannot be applied")
    in_row: np.ndarray = (scores != 0.0).any(axis=1)
    return in_row


def starting_scores(model: Model) -> np.ndarray:
    """Return the starting score of each class, or the starting number."""
    body = json.loads(model.to_json())["model"]
    if "base" not in body:
        raise AttributeError(f"a model of the learner {model.learner!r} has no starting score")
    return np.array(body["base"], dtype=np.float64)


def column_importances(model: Model, rules: RuleTable, names: list[str]) -> np.ndarray:
    """Return how much each column contributes to the score. The sum is 1, or 0 without rules.

    Classifier systems store the importance. For other rules, the contribution of a rule is its points times
    the standard deviation of its coverage, which its columns share equally (Friedman and Popescu 2008).
    """
    index = {name: place for place, name in enumerate(names)}
    importances = np.zeros(len(names))
    stored = json.loads(model.to_json())["model"].get("importance")
    if stored:
        for column in stored:
            importances[index[column["column"]]] = column["share"]
        return importances
    for rule in rules:
        points = rule.points
        size = sum(map(abs, points.values())) if isinstance(points, Mapping) else abs(points)
        share = rule["coverage"] if rule["coverage"] is not None else 0.5
        columns = [name for name in rule.columns if name in index]
        for name in columns:
            importances[index[name]] += size * np.sqrt(share * (1.0 - share)) / len(columns)
    total = importances.sum()
    return importances / total if total > 0.0 else importances


def size_table(model: Model) -> RecordTable[dict[str, Any]]:
    """Return the accuracy by number of rules, or R² and the mean absolute error, in cross-validation."""
    body = json.loads(model.to_json())["model"]
    path = body.get("path")
    numbers = (body.get("number") or {}).get("sizes") or []
    if not path:
        raise AttributeError("the model has a single size; the default mode of rules keeps several")
    records = []
    for index, stop in enumerate(path["stops"]):
        figures = {name: stop[name] for name in stop if isinstance(stop[name], (int, float))}
        figures |= numbers[index] if index < len(numbers) else {}
        others = stop.get("others") or [[]] * len(stop["votes"])
        count = sum(1 for votes, more in zip(stop["votes"], others) if votes or any(more))
        records.append({"rules": count, **figures, "selected": index == path["told"]})
    return RecordTable(records)
