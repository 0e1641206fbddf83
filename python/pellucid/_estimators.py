"""scikit-learn estimators, whose keyword arguments are the parameters of the learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target

from ._classifier import Classifier, is_calibrated
from ._estimator import Estimator
from ._model import probabilities
from ._params import keywords_of

__all__ = ["NetworkClassifier", "RuleClassifier", "RuleRegressor", "XCSClassifier"]


@keywords_of("rules")
class RuleClassifier(Classifier):
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

    @available_if(is_calibrated)  # type: ignore[untyped-decorator]
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
class XCSClassifier(Classifier):
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
class NetworkClassifier(Classifier):
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
class RuleRegressor(RegressorMixin, Estimator):  # type: ignore[misc]
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
