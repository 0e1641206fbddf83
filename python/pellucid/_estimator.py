"""The base class of all estimators."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_feature_names,
    _check_n_features,
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from . import _native
from ._examples import Examples, row_weights
from ._frames import add_values, as_array, free_name, is_bags, is_frame, join_bags
from ._model import Explanation, Model, warn_unseen
from ._model_methods import ModelMethods
from ._params import run_options, settings
from ._warn import warn_user


class Estimator(ModelMethods, BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators: training on tables and bags, and prediction."""

    _learner: str
    _takes_bags = False

    def _examples(self, X: Any, groups: Any, reset: bool) -> Examples:
        """Return the examples in X and groups, after the input checks of scikit-learn."""
        group_name = getattr(groups, "name", None)
        if is_bags(X):
            if groups is not None:
                raise ValueError("groups: X is a list of bags already; use either groups or a list")
            X, groups = join_bags(X)
        if groups is not None and not self._takes_bags:
            name = type(self).__name__
            raise ValueError(f"{name} does not support bags of rows; RuleClassifier does")
        least = 2 if reset else 1
        if is_frame(X):
            _check_feature_names(self, X, reset=reset)
            _check_n_features(self, X, reset=reset)
            if X.shape[0] < least:
                found = f"Found array with {X.shape[0]} sample(s)"
                raise ValueError(f"{found} while a minimum of {least} is required.")
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
        return Examples(X, groups, str(group_name) if group_name else None)

    def _fit(self, X: Any, y: Any, sample_weight: Any, groups: Any, numeric: bool) -> Any:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        y_name = getattr(y, "name", None)
        examples = self._examples(X, groups, reset=True)
        if np.ma.is_masked(y):
            raise ValueError("Input y contains masked values. The target of a row cannot be missing.")
        y = column_or_1d(y, warn=True)
        table = _native.Table("data")
        taken = list(examples.names)
        target = free_name(str(y_name) if y_name else "target", taken)
        bag = None
        if examples.groups is not None:
            bag = free_name(examples.group_name or "bag", [*taken, target])
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
            weight = free_name("weight", [*taken, target, bag or ""])
            table.add_numbers(weight, row_weights(sample_weight, examples, y))
        roles = {
            "target": target,
            "bag": bag,
            "weight": weight,
            "groups": None,
            "nominal": [],
            # Keep columns that look like identifiers: cross-validation fits on subsets of a table, and the
            # subsets could differ in what looks like an identifier.
            "keep": [],
            "keep_identifiers": True,
            "positive_class": None,
            # The caller chose the kind of task by choosing the estimator.
            "refuses_odd_targets": False,
            "task": "number" if numeric else "classes",
            "drop_class": [] if numeric else self._single_example_classes(y[examples.first], texts),
        }
        chosen = self.get_params(deep=False)
        changed = settings(self._learner, chosen)
        if isinstance(changed.get("class_weight"), dict):
            changed["class_weight"] = self._by_text(changed["class_weight"], texts)
        model, run = _native.fit_table(self._learner, table, roles, changed, run_options(chosen))
        self.model_ = Model(model, run)
        self._names = examples.names
        self.n_iter_ = max(int(run["steps"]), 1)
        if not numeric:
            index = {text: index for index, text in enumerate(texts)}
            self._class_indices = np.array([index[text] for text in self.model_.classes])
        return self

    def _single_example_classes(self, y: np.ndarray, texts: list[str]) -> list[str]:
        """Return the classes that rules leave out because they have a single example, after a warning."""
        counts = np.array([(y == label).sum() for label in self.classes_])
        single = [text for text, count in zip(texts, counts) if count == 1]
        if self._learner != "rules" or not single or (counts > 1).sum() < 2:
            return []
        shown = ", ".join(repr(text) for text in single)
        warn_user(f"left out of training because of a single example: class {shown}")
        return single

    def _by_text(self, weights: dict[Any, float], texts: list[str]) -> dict[str, float]:
        """Return weights by the text of each class label."""
        known = dict(zip(self.classes_.tolist(), texts))
        return {known.get(label, str(label)): float(weight) for label, weight in weights.items()}

    def _predictions(self, X: Any, groups: Any) -> _native.Predictions:
        check_is_fitted(self, "model_")
        examples = self._examples(X, groups, reset=False)
        model = self.model_
        if (model.bag is None) != (examples.groups is None):
            bags, rows = "bags; use groups or a list of arrays", "rows; it does not support bags"
            raise ValueError(f"the model was trained on {bags if model.bag else rows}")
        table = _native.Table("data")
        # As in scikit-learn, columns are matched by position if the training data or X has no column names.
        # If both have names, the checks above made sure that they are in the same order.
        examples.fill(table, model.bag, self._names)
        device = None if self.device in (None, "all") else self.device
        return warn_unseen(model._native.predict(table, self.n_jobs, device))

    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation:
        """Explain the prediction for one row or bag.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples.
        row : int, default=0
            The index of the row or bag to explain.
        groups : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        Explanation
            Which rules apply and how much each of them adds, as text and as data.
        """
        text, data = self._predictions(X, groups).explain(row)
        return Explanation(text, json.loads(data))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.non_deterministic = False
        return tags


def _is_object(X: Any) -> bool:
    return getattr(getattr(X, "dtype", None), "kind", "") == "O"
