"""scikit-learn estimators, whose keyword arguments are the parameters of the learners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.metaestimators import available_if

from ._bag_score import BagScore
from ._classifier import Classifier, is_calibrated
from ._estimator import Estimator
from ._model import probabilities
from ._parameters import (
    NetworkClassifierParameters,
    NetworkRegressorParameters,
    RuleClassifierParameters,
    RuleRegressorParameters,
    XCSClassifierParameters,
    XCSRegressorParameters,
)
from ._params import documented, refuses

__all__ = [
    "NetworkClassifier",
    "NetworkRegressor",
    "RuleClassifier",
    "RuleRegressor",
    "XCSClassifier",
    "XCSRegressor",
]


def _numbers(predictions: Any) -> np.ndarray:
    """Return the predicted numbers.

    Raises
    ------
    ValueError
        If the model predicts classes.
    """
    numbers: np.ndarray | None = predictions.numbers()
    if numbers is None:
        raise ValueError("the model predicts classes, not numbers")
    return numbers


@documented("rules", "classes")
class RuleClassifier(RuleClassifierParameters, BagScore, Classifier):
    """Classifier with a small set of IF-THEN rules that add up to a score.

    The rules are learned from a table or from bags of rows. A bag is a group of rows with one class, such as
    the visits of a patient, where some of the rows determine the class. Pass bags as ``bags`` (the bag of
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
    rules_ : pellucid.RuleTable
        The rules, with ``to_frame()``. A rule is a record, and ``rule.mask(X)`` applies it.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The starting score, to which the rules add their points.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much each column contributes to the score. The sum is 1.
    path_ : pellucid.RecordTable
        Accuracy by number of rules, in mode default and list.
    """

    _learner = "rules"
    _takes_bags = True

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, bags: Any = None, groups: Any = None
    ) -> RuleClassifier:
        """Fit the model.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The training data. Values may be missing.
        y : array of shape (n_rows,) or (n_bags,)
            The class of each row or bag.
        sample_weight : array of shape (n_rows,) or (n_bags,), default=None
            The weight of each row or bag. If None, all weights are 1.
        bags : array of shape (n_rows,), default=None
            The bag of each row. If None, and X is not a list of bags, each row is an example.
        groups : array of shape (n_rows,), default=None
            The group of each row, such as its patient. Inner cross-validation keeps groups together. If
            None, rows or bags are independent.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, sample_weight=sample_weight, bags=bags, groups=groups)
        return self

    @refuses(groups="bags")
    def predict(
        self,
        X: Any,
        *,
        threshold: float | None = None,
        cost: Mapping[Any, float] | None = None,
        bags: Any = None,
    ) -> np.ndarray:
        """Predict the class of each row or bag.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The examples.
        threshold : float, default=None
            Predict the second of two classes if its probability reaches this threshold.
        cost : mapping from class to float, default=None
            The cost of missing an example of each class, 1 by default. The class with the lowest expected
            cost is predicted.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predicted classes. Bags are in the order of their first rows.
        """
        return self._predict(X, bags, threshold, cost)

    @available_if(is_calibrated)  # type: ignore[untyped-decorator]
    @refuses(groups="bags")
    def predict_proba(self, X: Any, *, bags: Any = None) -> np.ndarray:
        """Predict the probability of each class, calibrated on held-out data.

        The method is not available if the fitted model is not calibrated, for example after fitting with
        ``inner_folds=0``.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The examples.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples, n_classes)
            The probabilities, with columns in the order of ``classes_``.
        """
        return self._in_class_order(probabilities(self._predictions(X, bags)))

    @refuses(groups="bags")
    def decision_function(self, X: Any, *, bags: Any = None) -> np.ndarray:
        """Compute the score of each class.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The examples.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples,) or (n_examples, n_classes)
            For two classes, the score of the second class minus that of the first. Otherwise the scores,
            with columns in the order of ``classes_``.
        """
        return self._class_scores(self._predictions(X, bags))

    @refuses(groups="bags")
    def score(self, X: Any, y: Any, sample_weight: Any = None, *, bags: Any = None) -> float:
        """Return the accuracy of the predictions.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The examples.
        y : array of shape (n_rows,) or (n_bags,)
            The actual class of each row or bag.
        sample_weight : array of shape (n_rows,) or (n_bags,), default=None
            The weight of each row or bag.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        float
            The accuracy.
        """
        return self._bag_score(accuracy_score, X, y, sample_weight, bags)


@documented("xcs", "classes")
class XCSClassifier(XCSClassifierParameters, Classifier):
    """Classifier with a population of rules that evolves (UCS or XCS), reduced to its most important rules.

    With ``warm_start=True``, fitting again continues from the population of the last fit, also on other rows
    of the same columns.

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
    rules_ : pellucid.RuleTable
        The rules, with ``to_frame()``. A rule is a record, and ``rule.mask(X)`` applies it.
    intercept_ : ndarray of shape (1,) or (n_classes,)
        The starting score, to which the rules add their points.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much each column contributes to the score. The sum is 1.
    """

    _learner = "xcs"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> XCSClassifier:
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
        earlier = self.model_._native if self.warm_start and hasattr(self, "model_") else None
        self._fit(X, y, sample_weight=sample_weight, groups=groups, earlier=earlier)
        return self


@documented("xcs", "number")
class XCSRegressor(XCSRegressorParameters, RegressorMixin, Estimator):  # type: ignore[misc]
    """Regressor with a population of rules that evolves (XCSF), reduced to a few rules that add up.

    With ``warm_start=True``, fitting again continues from the population of the last fit, also on other rows
    of the same columns.

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
    rules_ : pellucid.RuleTable
        The rules, with ``to_frame()``. A rule is a record, and ``rule.mask(X)`` applies it.
    intercept_ : float
        The starting value, to which the rules add their amounts.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much each column contributes to the prediction. The sum is 1.
    path_ : pellucid.RecordTable
        R² and mean absolute error by number of rules.
    """

    _learner = "xcs"

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> XCSRegressor:
        """Fit the model.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The training data. Values may be missing.
        y : array of shape (n_rows,)
            The target of each row.
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
        earlier = self.model_._native if self.warm_start and hasattr(self, "model_") else None
        self._fit(X, y, sample_weight=sample_weight, groups=groups, numeric=True, earlier=earlier)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the target of each row.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            The predicted numbers.
        """
        return _numbers(self._predictions(X, None))


@documented("network", "classes")
class NetworkClassifier(NetworkClassifierParameters, Classifier):
    """Classifier with a few small neural networks.

    For two classes, the networks are optimized for lift at the top of the ranking, or for another metric.
    More classes are learned by gradient descent on the log loss, with an output for each class; parameters of
    the search must then have their defaults.

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

    _learner = "network"

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> NetworkClassifier:  # type: ignore[override]
        """Fit the model. Sample weights are not supported.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The training data. Values may be missing.
        y : array of shape (n_rows,)
            The class of each row.
        groups : array of shape (n_rows,), default=None
            The group of each row, such as its patient. Inner cross-validation keeps groups together. If
            None, rows are independent.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, groups=groups)
        return self


@documented("network", "number")
class NetworkRegressor(NetworkRegressorParameters, RegressorMixin, Estimator):  # type: ignore[misc]
    """Regressor with a few small neural networks, trained on the squared error.

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

    _learner = "network"

    def fit(self, X: Any, y: Any, *, groups: Any = None) -> NetworkRegressor:
        """Fit the model. Sample weights are not supported.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The training data. Values may be missing.
        y : array of shape (n_rows,)
            The target of each row.
        groups : array of shape (n_rows,), default=None
            The group of each row, such as its patient. Inner cross-validation keeps groups together. If
            None, rows are independent.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, groups=groups, numeric=True)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Predict the target of each row.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns)
            The rows.

        Returns
        -------
        ndarray of shape (n_rows,)
            The predicted numbers.
        """
        return _numbers(self._predictions(X, None))


@documented("rules", "number")
class RuleRegressor(RuleRegressorParameters, BagScore, RegressorMixin, Estimator):  # type: ignore[misc]
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
    rules_ : pellucid.RuleTable
        The rules, with ``to_frame()``. A rule is a record, and ``rule.mask(X)`` applies it.
    intercept_ : float
        The starting score, to which the rules add their points.
    feature_importances_ : ndarray of shape (n_features_in_,)
        How much each column contributes to the score. The sum is 1.
    path_ : pellucid.RecordTable
        Accuracy by number of rules, in mode default and list.
    """

    _learner = "rules"
    _takes_bags = True

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, bags: Any = None, groups: Any = None
    ) -> RuleRegressor:
        """Fit the model.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The training data. Values may be missing.
        y : array of shape (n_rows,) or (n_bags,)
            The target of each row or bag.
        sample_weight : array of shape (n_rows,) or (n_bags,), default=None
            The weight of each row or bag. If None, all weights are 1.
        bags : array of shape (n_rows,), default=None
            The bag of each row. If None, and X is not a list of bags, each row is an example.
        groups : array of shape (n_rows,), default=None
            The group of each row, such as its patient. Inner cross-validation keeps groups together. If
            None, rows or bags are independent.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit(X, y, sample_weight=sample_weight, bags=bags, groups=groups, numeric=True)
        return self

    @refuses(groups="bags")
    def predict(self, X: Any, *, bags: Any = None) -> np.ndarray:
        """Predict the target of each row or bag.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The examples.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        ndarray of shape (n_examples,)
            The predicted numbers. Bags are in the order of their first rows.
        """
        return _numbers(self._predictions(X, bags))

    @refuses(groups="bags")
    def score(self, X: Any, y: Any, sample_weight: Any = None, *, bags: Any = None) -> float:
        """Return the coefficient of determination of the predictions.

        Parameters
        ----------
        X : data frame, array or sparse matrix of shape (n_rows, n_columns), or list of bags
            The examples.
        y : array of shape (n_rows,) or (n_bags,)
            The actual number of each row or bag.
        sample_weight : array of shape (n_rows,) or (n_bags,), default=None
            The weight of each row or bag.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.

        Returns
        -------
        float
            The coefficient of determination.
        """
        return self._bag_score(r2_score, X, y, sample_weight, bags)
