"""scikit-learn estimators. Their keyword arguments are the parameters of the learners, by the same names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    _check_sample_weight,
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from . import _native
from ._frames import add_values, add_words, as_array, column_names, fill, free_name, is_bags, is_frame, joined
from ._model import Explanation, Model, no_probabilities, probabilities, warned
from ._params import keywords_of, run_options, settings
from ._warn import warn_user


class _Examples:
    """Rows, and the bag of each where there are bags."""

    def __init__(self, X: Any, groups: np.ndarray | None, named: str | None) -> None:
        self.X = X
        self.groups = groups
        self.named = named
        self.names = column_names(X)
        self.rows = X.shape[0]
        if groups is None:
            self.first = np.arange(self.rows)
            self.of_row = self.first
            return
        # Bags are numbered in the order in which they first appear, as everywhere in Pellucid.
        _, first, sorted_place = np.unique(groups, return_index=True, return_inverse=True)
        place = np.empty(len(first), dtype=np.int64)
        place[np.argsort(first, kind="stable")] = np.arange(len(first))
        self.first = np.sort(first)
        self.of_row = place[sorted_place]

    def __len__(self) -> int:
        return len(self.first)

    def per_row(self, values: np.ndarray, what: str) -> np.ndarray:
        """One value a row, from one a row or one a bag."""
        if len(values) == self.rows:
            return values
        if self.groups is not None and len(values) == len(self):
            taken: np.ndarray = values[self.of_row]
            return taken
        wanted = f"{self.rows}, one a row"
        if self.groups is not None:
            wanted += f", or {len(self)}, one a bag in the order in which bags first appear"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {what} has {len(values)} values; "
            f"expected {wanted}"
        )

    def fill(self, table: _native.Table, bag: str | None, names: list[str] | None = None) -> None:
        fill(table, self.X, names)
        # As scikit-learn refuses an array with infinities; NaN is a missing value.
        infinite = table.infinite()
        if infinite is not None:
            raise ValueError(f"Input X contains infinity or a value too large: column {infinite!r}.")
        if bag is not None and self.groups is not None:
            add_words(table, bag, [str(group) for group in self.groups.tolist()])


class _Estimator(BaseEstimator):  # type: ignore[misc]
    """What all estimators share: from tables and bags to a model, and from a model to predictions."""

    _learner: str
    _takes_bags = False

    def _examples(self, X: Any, groups: Any, reset: bool) -> _Examples:
        """The rows of whatever was given, looked at as scikit-learn does."""
        named = getattr(groups, "name", None)
        if is_bags(X):
            if groups is not None:
                raise ValueError("groups: the bags are a list already; give one or the other")
            X, groups = joined(X)
        if groups is not None and not self._takes_bags:
            name = type(self).__name__
            raise ValueError(f"{name} learns from rows, not from bags of rows; RuleClassifier takes bags")
        least = 2 if reset else 1
        if is_frame(X):
            _check_feature_names(self, X, reset=reset)
            _check_n_features(self, X, reset=reset)
            if X.shape[0] < least:
                raise ValueError(f"Found array with {X.shape[0]} sample(s) while a minimum of {least} is required.")
        else:
            X = as_array(X) if isinstance(X, np.ma.MaskedArray) else X
            X = validate_data(
                self,
                X,
                reset=reset,
                dtype=None,
                ensure_all_finite=False if _is_object(X) else "allow-nan",
                ensure_min_samples=least,
            )
        if groups is not None:
            groups = column_or_1d(groups)
            check_consistent_length(X, groups)
        return _Examples(X, groups, str(named) if named else None)

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any, numeric: bool) -> Any:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        named = getattr(y, "name", None)
        examples = self._examples(X, groups, reset=True)
        if np.ma.is_masked(y):
            raise ValueError("Input y contains masked values; every row needs a known target.")
        y = column_or_1d(y, warn=True)
        table = _native.Table("data")
        taken = list(examples.names)
        target = free_name(str(named) if named else "target", taken)
        bag = None
        if examples.groups is not None:
            bag = free_name(examples.named or "bag", [*taken, target])
        examples.fill(table, bag)
        y = examples.per_row(y, "y")
        if numeric:
            y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
            add_values(table, target, y)
            texts: list[str] = []
        else:
            check_classification_targets(y)
            self.classes_, codes = np.unique(y, return_inverse=True)
            texts = [str(label) for label in self.classes_.tolist()]
            table.add_codes(target, codes.astype(np.int64), texts)
        weight = None
        if sample_weight is not None:
            sample_weight = as_array(sample_weight)
            if sample_weight.ndim == 1:
                sample_weight = examples.per_row(sample_weight, "sample_weight")
            weights = _check_sample_weight(sample_weight, examples.X[:, :1] if not is_frame(examples.X) else y)
            weight = free_name("weight", [*taken, target, bag or ""])
            table.add_numbers(weight, np.asarray(weights, dtype=np.float64))
        roles = {
            "target": target,
            "bag": bag,
            "weight": weight,
            "groups": None,
            "nominal": [],
            # Cross-validation fits on parts of a table, and which columns seem to name the rows may differ
            # between them.
            "keep": [],
            "keep_identifiers": True,
            "positive_class": None,
            # Whoever calls decides what can be judged.
            "refuses_odd_targets": False,
            "task": "number" if numeric else "classes",
            "drop_class": [] if numeric else self._lonely(y[examples.first], texts),
        }
        chosen = self.get_params(deep=False)
        told = settings(self._learner, chosen)
        if isinstance(told.get("class_weight"), dict):
            told["class_weight"] = self._by_text(told["class_weight"], texts)
        model, run = _native.fit_table(self._learner, table, roles, told, run_options(chosen))
        self.model_ = Model(model, run)
        self._names = examples.names
        self.n_iter_ = max(int(run["steps"]), 1)
        if not numeric:
            place = {text: place for place, text in enumerate(texts)}
            self._places = np.array([place[text] for text in self.model_.classes])
        return self

    def _lonely(self, y: np.ndarray, texts: list[str]) -> list[str]:
        """Classes with a single example: no rule about them would say more than that example."""
        counts = np.array([(y == label).sum() for label in self.classes_])
        lonely = [text for text, count in zip(texts, counts) if count == 1]
        if self._learner != "rules" or not lonely or (counts > 1).sum() < 2:
            return []
        told = ", ".join(repr(text) for text in lonely)
        warn_user(f"left out of learning, as it has a single example: class {told}")
        return lonely

    def _by_text(self, weights: dict[Any, float], texts: list[str]) -> dict[str, float]:
        """Weights by the names of classes."""
        known = dict(zip(self.classes_.tolist(), texts))
        return {known.get(label, str(label)): float(weight) for label, weight in weights.items()}

    def _predictions(self, X: Any, groups: Any) -> _native.Predictions:
        check_is_fitted(self, "model_")
        examples = self._examples(X, groups, reset=False)
        model = self.model_
        if (model.bag is None) != (examples.groups is None):
            needed = "bags: give groups, or a list of arrays" if model.bag else "rows, and no bags"
            raise ValueError(f"the model was learned from {needed}")
        table = _native.Table("data")
        # As scikit-learn has it, columns go by their places where one side has no names; who has names has them in order.
        examples.fill(table, model.bag, self._names)
        device = None if self.device in (None, "all") else self.device
        return warned(model._native.predict(table, self.n_jobs, device))

    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation:
        """Why a row, or the bag of that number, is predicted so: which rules hold, and by how much each speaks."""
        text, data = self._predictions(X, groups).explain(row)
        return Explanation(text, json.loads(data))

    def show(self, rules: int | None = None) -> str:
        """The fitted model as a person reads it."""
        check_is_fitted(self, "model_")
        return self.model_.show(rules)

    def save(self, path: Any) -> None:
        """Writes the model file, which the command line and ``pellucid.load`` open."""
        check_is_fitted(self, "model_")
        self.model_.save(path)

    def to_json(self) -> str:
        """The text of the model file."""
        check_is_fitted(self, "model_")
        return self.model_.to_json()

    def to_sql(self, table: str = "data", view: str | None = None) -> str:
        """A query that predicts in a database."""
        check_is_fitted(self, "model_")
        return self.model_.to_sql(table, view)

    def to_python(self) -> str:
        """A Python module that predicts, and needs nothing else."""
        check_is_fitted(self, "model_")
        return self.model_.to_python()

    def to_html(self, part: bool = False) -> str:
        """A page for people, where the learner makes one; with ``part`` only what is in it, to stand in another page."""
        check_is_fitted(self, "model_")
        return self.model_.to_html(part)

    def to_onnx(self) -> bytes:
        """The model for ONNX runtimes, where its learner writes it."""
        check_is_fitted(self, "model_")
        return self.model_.to_onnx()

    def __str__(self) -> str:
        return self.model_.show() if hasattr(self, "model_") else repr(self)

    def _repr_html_(self) -> str:
        if hasattr(self, "model_"):
            return self.model_._repr_html_()
        from ._html import preformatted

        return preformatted(repr(self))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.non_deterministic = False
        return tags


def _is_calibrated(estimator: Any) -> bool:
    """Whether a fitted estimator has probabilities. Before it is fitted that is not known."""
    model = getattr(estimator, "model_", None)
    if model is not None and not model.is_calibrated:
        raise AttributeError(no_probabilities(model))
    return True


class _Classifier(ClassifierMixin, _Estimator):  # type: ignore[misc]
    """Predictions as classes."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Learns. ``X`` is an array or a frame, ``y`` the classes of its rows."""
        return self._fit(X, y, sample_weight, None, numeric=False)

    def predict(self, X: Any) -> np.ndarray:
        """The class of every row."""
        return self._classes_of(self._predictions(X, None))

    @available_if(_is_calibrated)  # type: ignore[misc]
    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class, in the order of ``classes_``, calibrated on held-out data.

        A model that is not calibrated, such as one fitted with ``inner_folds=0``, has no such method.
        """
        return self._shares_of(self._predictions(X, None))

    def decision_function(self, X: Any) -> np.ndarray:
        """The votes for each class, in the order of ``classes_``; of two classes those for the second less those for the first."""
        return self._votes_of(self._predictions(X, None))

    def _classes_of(self, found: _native.Predictions) -> np.ndarray:
        classes: np.ndarray = self.classes_[self._places[found.codes()]]
        return classes

    def _in_order(self, by_class: np.ndarray, least: Any = 0.0) -> np.ndarray:
        """Columns in the order of ``classes_``; a class that was left out of learning has the least."""
        ordered = np.broadcast_to(least, (len(by_class), len(self.classes_))).copy()
        ordered[:, self._places] = by_class
        return ordered

    def _shares_of(self, found: _native.Predictions) -> np.ndarray:
        return self._in_order(probabilities(found))

    def _votes_of(self, found: _native.Predictions) -> np.ndarray:
        votes = found.votes()
        if votes is None:
            votes = np.eye(len(self._places))[found.codes()]
        ordered = self._in_order(votes, votes.min(axis=1, keepdims=True) - 1.0)
        return ordered[:, 1] - ordered[:, 0] if ordered.shape[1] == 2 else ordered


@keywords_of("rules")
class RuleClassifier(_Classifier):
    """A few IF-THEN rules that vote, from a table or from bags of rows.

    Bags are groups of rows with one class each, of which some rows are the reason: give the bag of each row as ``groups``, or a list
    of arrays or frames, one for each bag. ``y`` then has a class for each bag in the order in which bags first appear, or
    one for each row. Columns may be numbers, truth values, dates and words; missing values may stay missing.

    After ``fit``: ``model_`` (a :class:`pellucid.Model`), ``classes_``, ``n_features_in_``, ``feature_names_in_``, ``n_iter_``.
    """

    _learner = "rules"
    _takes_bags = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> RuleClassifier:
        """Learns rules. With ``groups`` or a list of arrays, from bags."""
        self._fit(X, y, sample_weight, groups, numeric=False)
        return self

    def predict(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """The class of every row, or of every bag in the order in which bags first appear."""
        return self._classes_of(self._predictions(X, groups))

    @available_if(_is_calibrated)  # type: ignore[misc]
    def predict_proba(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """The probability of each class, in the order of ``classes_``, calibrated on held-out data.

        A model that is not calibrated has no such method.
        """
        return self._shares_of(self._predictions(X, groups))

    def decision_function(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """The votes for each class, in the order of ``classes_``; of two classes those for the second less those for the first."""
        return self._votes_of(self._predictions(X, groups))


@keywords_of("xcs")
class XCSClassifier(_Classifier):
    """A population of classifiers (UCS, XCS), and the few of them that say most.

    After ``fit``: ``model_`` (a :class:`pellucid.Model`), ``classes_``, ``n_features_in_``, ``feature_names_in_``, ``n_iter_``.
    """

    _learner = "xcs"


@keywords_of("network")
class NetworkClassifier(_Classifier):
    """A few small networks for two classes, bred for ranking: for lift at the top of a list, or another metric.

    After ``fit``: ``model_`` (a :class:`pellucid.Model`), ``classes_``, ``n_features_in_``, ``feature_names_in_``, ``n_iter_``.
    """

    _learner = "network"

    def fit(self, X: Any, y: Any) -> NetworkClassifier:  # type: ignore[override]
        """Learns. ``X`` is an array or a frame, ``y`` the two classes of its rows. Rows are ranked and cannot be weighed."""
        kind = type_of_target(y, input_name="y", raise_unknown=True) if y is not None else "binary"
        if kind not in ("binary", "continuous"):
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        self._fit(X, y, None, None, numeric=False)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


@keywords_of("rules")
class RuleRegressor(RegressorMixin, _Estimator):  # type: ignore[misc]
    """Rules that each add to a number, from a table or from bags of rows.

    Bags as with :class:`RuleClassifier`. After ``fit``: ``model_`` (a :class:`pellucid.Model`), ``n_features_in_``,
    ``feature_names_in_``, ``n_iter_``.
    """

    _learner = "rules"
    _takes_bags = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> RuleRegressor:
        """Learns rules. With ``groups`` or a list of arrays, from bags."""
        self._fit(X, y, sample_weight, groups, numeric=True)
        return self

    def predict(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """The number of every row, or of every bag in the order in which bags first appear."""
        numbers = self._predictions(X, groups).numbers()
        if numbers is None:
            raise ValueError("the model predicts classes")
        return numbers


def _is_object(X: Any) -> bool:
    return getattr(getattr(X, "dtype", None), "kind", "") == "O"


__all__ = ["NetworkClassifier", "RuleClassifier", "RuleRegressor", "XCSClassifier"]
