"""The base class of all estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d, validate_data

from . import _native
from ._checkpoint import checkpoint_advice, checkpoint_file
from ._examples import Examples, one_per_row, refuse_splitter, row_weights
from ._explanation import Explanation, explain_one
from ._fitted import FittedAttributes
from ._frames import (
    add_values,
    add_words,
    as_array,
    count_missing,
    free_name,
    is_bags,
    is_frame,
    is_sparse,
    join_bags,
)
from ._jobs import thread_count
from ._model import Model, warn_unseen
from ._model_methods import ModelMethods
from ._params import refuses, run_options, settings
from ._values import plain_settings
from ._warn import warn_user


class Estimator(ModelMethods, FittedAttributes, BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators: training on tables and bags, and prediction."""

    _learner: str
    _takes_bags = False
    _class_indices: np.ndarray
    classes_: np.ndarray
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int
    n_jobs: int | None
    device: str

    def _examples(self, X: Any, bags: Any, reset: bool) -> Examples:
        """Return the examples in X and bags, after the input checks of scikit-learn."""
        bag_name = getattr(bags, "name", None)
        if is_bags(X):
            if bags is not None:
                raise ValueError("bags: X is a list of bags already; use either bags or a list")
            X, bags = join_bags(X)
        if bags is not None and not self._takes_bags:
            name = type(self).__name__
            raise ValueError(f"{name} does not support bags of rows; RuleClassifier does")
        least = 2 if reset else 1
        if is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
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
                accept_sparse=("csr", "csc"),
                ensure_all_finite=False if _is_object(X) else "allow-nan",
                ensure_min_samples=least,
            )
        if bags is not None:
            bags = one_per_row(bags, "bags", X)
        return Examples(X, bags, str(bag_name) if bag_name else None)

    def _fit(
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        bags: Any = None,
        groups: Any = None,
        numeric: bool = False,
        earlier: _native.Model | None = None,
    ) -> None:
        """Train the model on the examples, and set the fitted attributes."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        y_name = getattr(y, "name", None)
        examples = self._examples(X, bags, reset=True)
        table = _native.Table("data")
        target = free_name(str(y_name) if y_name else "target", examples.names)
        roles: dict[str, Any] = {"target": target, "bag": None, "weight": None, "groups": None}
        taken = [*examples.names, target]
        if examples.bags is not None:
            roles["bag"] = free_name(examples.bag_name or "bag", taken)
            taken.append(roles["bag"])
        examples.fill(table, roles["bag"])
        y = self._add_target(table, target, y, examples, numeric)
        texts = [] if numeric else [str(label) for label in self.classes_.tolist()]
        if sample_weight is not None:
            roles["weight"] = free_name("weight", taken)
            table.add_numbers(roles["weight"], row_weights(sample_weight, examples))
        if groups is not None:
            refuse_splitter(groups, "groups")
            roles["groups"] = free_name("groups", [*taken, roles["weight"] or ""])
            of_row = examples.per_row(column_or_1d(groups), "groups")
            add_words(table, roles["groups"], [str(one) for one in of_row.tolist()], declared=True)
        roles |= {
            "nominal": [],
            # Keep columns that look like identifiers: cross-validation fits on subsets of a table, and the
            # subsets could differ in what looks like an identifier.
            "keep": [],
            "keep_identifiers": True,
            # As everywhere in scikit-learn, the second class is the positive one.
            "positive_class": texts[1] if len(texts) == 2 else None,
            # The caller chose the kind of task by choosing the estimator.
            "refuses_odd_targets": False,
            "task": "number" if numeric else "classes",
            "drop_class": [] if numeric else self._single_example_classes(y[examples.first], texts),
        }
        self._train(table, roles, texts, examples.names, earlier)

    def _add_target(
        self, table: _native.Table, target: str, y: Any, examples: Examples, numeric: bool
    ) -> np.ndarray:
        """Add the target to a table, set ``classes_``, and return the target of each row."""
        if np.ma.is_masked(y):
            raise ValueError("Input y contains masked values. The target of a row cannot be missing.")
        values = examples.per_row(column_or_1d(y, warn=True), "y")
        missing = count_missing(values)
        if missing:
            found = f"Input y contains NaN: {missing} of {len(values)} values are missing."
            raise ValueError(f"{found} Leave these rows out of fit; predict predicts them.")
        if numeric:
            values = check_array(values, ensure_2d=False, dtype=np.float64, input_name="y")
            add_values(table, target, values)
        else:
            check_classification_targets(values)
            self.classes_, codes = np.unique(values, return_inverse=True)
            texts = [str(label) for label in self.classes_.tolist()]
            table.add_codes(target, codes.astype(np.int64), texts)
        return np.asarray(values)

    def _train(
        self,
        table: _native.Table,
        roles: dict[str, Any],
        texts: list[str],
        names: list[str],
        earlier: _native.Model | None,
    ) -> None:
        """Train the model on a table, and set the fitted attributes."""
        chosen = self.get_params(deep=False)
        changed = plain_settings(settings(self._learner, chosen), names, self._label_text)
        if chosen.get("warm_start"):
            changed["keep_population"] = True
        options = run_options(chosen)
        options["earlier"] = earlier
        options["checkpoint"] = checkpoint_file(self._learner, options["checkpoint"], table, roles, changed)
        with checkpoint_advice():
            model, run = _native.fit_table(self._learner, table, roles, changed, options)
        self.model_ = Model(model, run)
        self._names = names
        self.n_iter_ = max(int(run["steps"]), 1)
        if texts:
            index = {text: index for index, text in enumerate(texts)}
            self._class_indices = np.array([index[text] for text in self.model_.classes])

    def _single_example_classes(self, y: np.ndarray, texts: list[str]) -> list[str]:
        """Return the classes that rules leave out because they have a single example, after a warning."""
        counts = np.array([(y == label).sum() for label in self.classes_])
        single = [text for text, count in zip(texts, counts) if count == 1]
        if self._learner != "rules" or not single or (counts > 1).sum() < 2:
            return []
        shown = ", ".join(repr(text) for text in single)
        warn_user(f"left out of training because of a single example: class {shown}")
        return single

    def _label_text(self, label: Any) -> str:
        """Return the text of a class label in the model."""
        known = {one: str(one) for one in self.classes_.tolist()}
        return known.get(label, str(label))

    def _predictions(
        self, X: Any, bags: Any = None, *, threshold: float | None = None, cost: Any = None
    ) -> _native.Predictions:
        """Return the predictions of the model for all examples."""
        check_is_fitted(self, "model_")
        return self._predict_examples(self._examples(X, bags, reset=False), threshold, cost)

    def _predict_examples(
        self,
        examples: Examples,
        threshold: float | None = None,
        cost: Any = None,
        model: _native.Model | None = None,
    ) -> _native.Predictions:
        """Return the predictions of the fitted model, or of another one with the same columns."""
        native, table = model or self.model_._native, self._table(examples)
        device = None if self.device in (None, "all") else self.device
        costs = None if cost is None else {self._label_text(key): float(cost[key]) for key in cost}
        jobs = thread_count(self.n_jobs)
        return warn_unseen(native.predict(table, jobs, device, threshold, costs))

    def _table(self, examples: Examples) -> _native.Table:
        """Return examples for the fitted model as a table."""
        model_bag = self.model_.bag
        if (model_bag is None) != (examples.bags is None):
            bags, rows = "bags; use bags or a list of arrays", "rows; it does not support bags"
            raise ValueError(f"the model was trained on {bags if model_bag else rows}")
        table = _native.Table("data")
        # As in scikit-learn, columns are matched by position if the training data or X has no column names.
        # If both have names, the checks above made sure that they are in the same order.
        examples.fill(table, model_bag, self._names)
        return table

    def _labeled(self, X: Any, y: Any, bags: Any) -> _native.Table:
        """Return examples for the fitted model as a table, with y as its target column if y is given."""
        examples = self._examples(X, bags, reset=False)
        table = self._table(examples)
        if y is None:
            return table
        target = self.model_.target or "target"
        values = examples.per_row(column_or_1d(y, warn=True), "y")
        if self.model_.is_number:
            add_values(table, target, np.asarray(values, dtype=np.float64))
        else:
            texts = {label: str(label) for label in self.classes_.tolist()}
            add_words(table, target, [texts.get(label, str(label)) for label in values.tolist()])
        return table

    @refuses(groups="bags")
    def explain(self, X: Any, row: int = 0, *, bags: Any = None) -> Explanation:
        """Explain the prediction for one row or bag.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples. Only the row or bag to explain is evaluated.
        row : int, default=0
            The index of the row or bag to explain, counted from 0. Negative numbers count from the end.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        Explanation
            Which rules apply and how much each of them adds, as text and as data. Rows are counted from 0.
        """
        check_is_fitted(self, "model_")
        return explain_one(self._examples(X, bags, reset=False), row, self._predict_examples)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        tags.non_deterministic = False
        return tags


def _is_object(X: Any) -> bool:
    return not is_sparse(X) and getattr(getattr(X, "dtype", None), "kind", "") == "O"
