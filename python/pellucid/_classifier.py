"""The base class of all classifiers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if

from . import _native
from ._estimator import Estimator
from ._model import Model, no_probabilities, probabilities


def is_calibrated(estimator: Any) -> bool:
    """Return True if an estimator has probabilities or is not fitted yet; raise AttributeError otherwise."""
    model: Model | None = getattr(estimator, "model_", None)
    if model is not None and not model.is_calibrated:
        raise AttributeError(no_probabilities(model))
    return True


class Classifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """Base class of all classifiers."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> Any:
        """Fit the model.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The training data. Values may be missing.
        y : array of shape (n_rows,)
            The class of each row.
        sample_weight : array of shape (n_rows,), default=None
            The weight of each row. If None, all weights are 1.
        groups : array of shape (n_rows,), default=None
            The group of each row, such as its patient. Inner cross-validation keeps groups together. If
            None, rows are independent.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, sample_weight=sample_weight, groups=groups)
        return self

    def predict(
        self,
        X: Any,
        *,
        threshold: float | None = None,
        cost: Mapping[Any, float] | None = None,
    ) -> np.ndarray:
        """Predict the class of each row.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The rows.
        threshold : float, default=None
            Predict the second of two classes if its probability reaches this threshold.
        cost : mapping from class to float, default=None
            The cost of missing an example of each class, 1 by default. The class with the lowest expected
            cost is predicted.

        Returns
        -------
        ndarray of shape (n_rows,)
            The predicted classes.
        """
        return self._predict(X, None, threshold, cost)

    @available_if(is_calibrated)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Predict the probability of each class, calibrated on held-out data.

        The method is not available if the fitted model is not calibrated, for example after fitting with
        ``inner_folds=0``.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
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
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,) or (n_rows, n_classes)
            For two classes, the score of the second class minus that of the first. Otherwise the scores,
            with columns in the order of ``classes_``.
        """
        return self._class_scores(self._predictions(X, None))

    def _predict(
        self, X: Any, bags: Any, threshold: float | None, cost: Mapping[Any, float] | None
    ) -> np.ndarray:
        """Return the predicted classes, with the types of the labels in training."""
        predictions = self._predictions(X, bags, threshold=threshold, cost=cost)
        classes: np.ndarray = self.classes_[self._class_indices[predictions.codes()]]
        return classes

    def _in_class_order(self, by_class: np.ndarray, lowest: Any = 0.0) -> np.ndarray:
        """Return columns in the order of ``classes_``, with ``lowest`` for classes left out of training."""
        ordered: np.ndarray = np.broadcast_to(lowest, (len(by_class), len(self.classes_))).copy()
        ordered[:, self._class_indices] = by_class
        return ordered

    def _class_scores(self, predictions: _native.Predictions) -> np.ndarray:
        scores = predictions.votes()
        if scores is None:
            scores = np.eye(len(self._class_indices))[predictions.codes()]
        ordered: np.ndarray = self._in_class_order(scores, scores.min(axis=1, keepdims=True) - 1.0)
        return ordered[:, 1] - ordered[:, 0] if ordered.shape[1] == 2 else ordered
