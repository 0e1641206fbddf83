"""scikit-learn estimators, whose keyword arguments are the parameters of the learners."""

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
from ._frames import (
    add_values,
    add_words,
    as_array,
    column_names,
    fill,
    free_name,
    is_bags,
    is_frame,
    join_bags,
)
from ._model import Explanation, Model, no_probabilities, probabilities, warn_unseen
from ._params import keywords_of, run_options, settings
from ._warn import warn_user


class _Examples:
    """Rows, and the bag of each row if there are bags."""

    def __init__(self, X: Any, groups: np.ndarray | None, group_name: str | None) -> None:
        self.X = X
        self.groups = groups
        self.group_name = group_name
        self.names = column_names(X)
        self.rows = X.shape[0]
        if groups is None:
            self.first = np.arange(self.rows)
            self.of_row = self.first
            return
        # Number the bags in the order of their first rows, as the native module does.
        _, first, sorted_index = np.unique(groups, return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first, kind="stable")] = np.arange(len(first))
        self.first = np.sort(first)
        self.of_row = number[sorted_index]

    def __len__(self) -> int:
        return len(self.first)

    def per_row(self, values: np.ndarray, what: str) -> np.ndarray:
        """Return one value per row, given one per row or one per bag."""
        if len(values) == self.rows:
            return values
        if self.groups is not None and len(values) == len(self):
            repeated: np.ndarray = values[self.of_row]
            return repeated
        expected = f"{self.rows} (one per row)"
        if self.groups is not None:
            expected += f" or {len(self)} (one per bag, in the order of the bags' first rows)"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {what} has {len(values)} values; "
            f"expected {expected}"
        )

    def fill(self, table: _native.Table, bag: str | None, names: list[str] | None = None) -> None:
        """Add the columns and the bags to a table."""
        fill(table, self.X, names)
        # Reject infinity as scikit-learn does. NaN is a missing value.
        infinite = table.infinite()
        if infinite is not None:
            raise ValueError(f"Input X contains infinity or a value too large: column {infinite!r}.")
        if bag is not None and self.groups is not None:
            add_words(table, bag, [str(group) for group in self.groups.tolist()])


class _Estimator(BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators: training on tables and bags, and prediction."""

    _learner: str
    _takes_bags = False

    def _examples(self, X: Any, groups: Any, reset: bool) -> _Examples:
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
        return _Examples(X, groups, str(group_name) if group_name else None)

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
            table.add_numbers(weight, _row_weights(sample_weight, examples, y))
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

    def show(self, rules: int | None = None) -> str:
        """Return the fitted model as readable text.

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
        check_is_fitted(self, "model_")
        return self.model_.show(rules)

    def save(self, path: Any) -> None:
        """Write the model file. The command line and :func:`pellucid.load` open it.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        check_is_fitted(self, "model_")
        self.model_.save(path)

    def to_json(self) -> str:
        """Return the content of the model file."""
        check_is_fitted(self, "model_")
        return self.model_.to_json()

    def to_sql(self, table: str = "data", view: str | None = None) -> str:
        """Return an SQL query that predicts in a database.

        Parameters
        ----------
        table : str, default="data"
            The table that the query reads.
        view : str, default=None
            The name of the view to create. If None, a plain query is returned.

        Returns
        -------
        str
            The SQL text.
        """
        check_is_fitted(self, "model_")
        return self.model_.to_sql(table, view)

    def to_python(self) -> str:
        """Return a Python module that predicts and has no dependencies."""
        check_is_fitted(self, "model_")
        return self.model_.to_python()

    def to_html(self, part: bool = False) -> str:
        """Return the model as an HTML page, if the learner supports it.

        Parameters
        ----------
        part : bool, default=False
            Whether to return only the content, for embedding in another page.

        Returns
        -------
        str
            The HTML text.
        """
        check_is_fitted(self, "model_")
        return self.model_.to_html(part)

    def to_onnx(self) -> bytes:
        """Return the model in the ONNX format, if the learner supports it."""
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
    """Return True if an estimator has probabilities or is not fitted yet; raise AttributeError otherwise."""
    model = getattr(estimator, "model_", None)
    if model is not None and not model.is_calibrated:
        raise AttributeError(no_probabilities(model))
    return True


class _Classifier(ClassifierMixin, _Estimator):  # type: ignore[misc]
    """Base class of all classifiers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The training data. Values may be missing.
        y : array of shape (n_rows,)
            The class of each row.
        sample_weight : array of shape (n_rows,), default=None
            The weight of each row. If None, all weights are 1.

        Returns
        -------
        self
            The fitted estimator.
        """
        return self._fit(X, y, sample_weight, None, numeric=False)

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each row.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            The predicted classes.
        """
        return self._predicted_classes(self._predictions(X, None))

    @available_if(_is_calibrated)  # type: ignore[misc]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probability of each class, calibrated on held-out data.

        The method is not available if the fitted model is not calibrated, for example after fitting with
        ``inner_folds=0``.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            The probabilities, with columns in the order of ``classes_``.
        """
        return self._in_class_order(probabilities(self._predictions(X, None)))

    def decision_function(self, X: Any) -> np.ndarray:
        """Compute the score of each class.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes, the score of the second class minus that of the first. Otherwise the scores,
            with columns in the order of ``classes_``.
        """
        return self._class_scores(self._predictions(X, None))

    def _predicted_classes(self, predictions: _native.Predictions) -> np.ndarray:
        classes: np.ndarray = self.classes_[self._class_indices[predictions.codes()]]
        return classes

    def _in_class_order(self, by_class: np.ndarray, lowest: Any = 0.0) -> np.ndarray:
        """Return columns in the order of ``classes_``, with ``lowest`` for classes left out of training."""
        ordered = np.broadcast_to(lowest, (len(by_class), len(self.classes_))).copy()
        ordered[:, self._class_indices] = by_class
        return ordered

    def _class_scores(self, predictions: _native.Predictions) -> np.ndarray:
        scores = predictions.votes()
        if scores is None:
            scores = np.eye(len(self._class_indices))[predictions.codes()]
        ordered = self._in_class_order(scores, scores.min(axis=1, keepdims=True) - 1.0)
        return ordered[:, 1] - ordered[:, 0] if ordered.shape[1] == 2 else ordered


@keywords_of("rules")
class RuleClassifier(_Classifier):
    """Classifier with a small set of IF-THEN rules that add up to a score.

    The rules are learned from a table or from bags of rows. A bag is a group of rows with one class, such as
    the visits of a patient, where some of the rows determine the class. Pass bags as ``groups`` (the bag of
    each row) or as a list of arrays or data frames, one per bag. ``y`` then has one class per bag, in the
    order of the bags' first rows, or one class per row.

    Columns can contain numbers, booleans, dates and text. Values may be missing.

    Attributes
    ----------
    model_ : pellucid.Model
        The trained model.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of columns seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns seen during fit. Only defined if X has column names that are all strings.
    n_iter_ : int
        Number of training steps.
    """

    _learner = "rules"
    _takes_bags = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> RuleClassifier:
        """Fit the model.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The training data. Values may be missing.
        y : array of shape (n_rows,) or (n_bags,)
            The class of each row or bag.
        sample_weight : array of shape (n_rows,) or (n_bags,), default=None
            The weight of each row or bag. If None, all weights are 1.
        groups : array of shape (n_rows,), default=None
            The bag of each row. If None, and X is not a list of bags, each row is an example.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, sample_weight, groups, numeric=False)
        return self

    def predict(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """Predict the class of each row or bag.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples.
        groups : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predicted classes. Bags are in the order of their first rows.
        """
        return self._predicted_classes(self._predictions(X, groups))

    @available_if(_is_calibrated)  # type: ignore[misc]
    def predict_proba(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """Predict the probability of each class, calibrated on held-out data.

        The method is not available if the fitted model is not calibrated, for example after fitting with
        ``inner_folds=0``.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples.
        groups : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples, n_classes)
            The probabilities, with columns in the order of ``classes_``.
        """
        return self._in_class_order(probabilities(self._predictions(X, groups)))

    def decision_function(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """Compute the score of each class.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples.
        groups : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples,) or (n_examples, n_classes)
            For two classes, the score of the second class minus that of the first. Otherwise the scores,
            with columns in the order of ``classes_``.
        """
        return self._class_scores(self._predictions(X, groups))


@keywords_of("xcs")
class XCSClassifier(_Classifier):
    """Classifier with a population of rules that evolves (UCS or XCS), reduced to its most important rules.

    Attributes
    ----------
    model_ : pellucid.Model
        The trained model.
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_features_in_ : int
        Number of columns seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns seen during fit. Only defined if X has column names that are all strings.
    n_iter_ : int
        Number of training steps.
    """

    _learner = "xcs"


@keywords_of("network")
class NetworkClassifier(_Classifier):
    """Classifier for two classes with a few small neural networks, optimized for ranking.

    The networks are optimized for lift at the top of the ranking, or for another metric.

    Attributes
    ----------
    model_ : pellucid.Model
        The trained model.
    classes_ : ndarray of shape (2,)
        The class labels.
    n_features_in_ : int
        Number of columns seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns seen during fit. Only defined if X has column names that are all strings.
    n_iter_ : int
        Number of training steps.
    """

    _learner = "network"

    def fit(self, X: Any, y: Any) -> NetworkClassifier:  # type: ignore[override]
        """Fit the model. Sample weights are not supported.

        Parameters
        ----------
        X : data frame or array of shape (n_rows, n_columns)
            The training data. Values may be missing.
        y : array of shape (n_rows,)
            The class of each row, one of two.

        Returns
        -------
        self
            The fitted estimator.
        """
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
    """Regressor with a small set of IF-THEN rules, each of which adds an amount to the prediction.

    The rules are learned from a table or from bags of rows. Bags are passed as for :class:`RuleClassifier`.

    Attributes
    ----------
    model_ : pellucid.Model
        The trained model.
    n_features_in_ : int
        Number of columns seen during fit.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the columns seen during fit. Only defined if X has column names that are all strings.
    n_iter_ : int
        Number of training steps.
    """

    _learner = "rules"
    _takes_bags = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> RuleRegressor:
        """Fit the model.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The training data. Values may be missing.
        y : array of shape (n_rows,) or (n_bags,)
            The target of each row or bag.
        sample_weight : array of shape (n_rows,) or (n_bags,), default=None
            The weight of each row or bag. If None, all weights are 1.
        groups : array of shape (n_rows,), default=None
            The bag of each row. If None, and X is not a list of bags, each row is an example.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, sample_weight, groups, numeric=True)
        return self

    def predict(self, X: Any, *, groups: Any = None) -> np.ndarray:
        """Predict the target of each row or bag.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags
            The examples.
        groups : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predicted numbers. Bags are in the order of their first rows.
        """
        numbers = self._predictions(X, groups).numbers()
        if numbers is None:
            raise ValueError("the model predicts classes, not numbers")
        return numbers


def _row_weights(sample_weight: Any, examples: _Examples, y: np.ndarray) -> np.ndarray:
    """Return the weight of each row, after the checks of scikit-learn."""
    sample_weight = as_array(sample_weight)
    if sample_weight.ndim == 1:
        sample_weight = examples.per_row(sample_weight, "sample_weight")
    weights = _check_sample_weight(sample_weight, y if is_frame(examples.X) else examples.X[:, :1])
    return np.asarray(weights, dtype=np.float64)


def _is_object(X: Any) -> bool:
    return getattr(getattr(X, "dtype", None), "kind", "") == "O"


__all__ = ["NetworkClassifier", "RuleClassifier", "RuleRegressor", "XCSClassifier"]
