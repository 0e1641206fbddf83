"""Attributes of fitted estimators that are computed from the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._model import Model, probabilities
from ._rules import RuleTable, column_importances, rule_table, size_table, starting_scores
from ._tables import RecordTable


class FittedAttributes:
    """Rules, importances and tables of a fitted estimator."""

    model_: Model
    _names: list[str]
    _examples: Any
    _predict_examples: Any

    @property
    def rules_(self) -> RuleTable:
        """The rules of the model. Only learners with rules have them."""
        check_is_fitted(self, "model_")
        return rule_table(self.model_, self._predict_with, self._label)

    @property
    def path_(self) -> RecordTable[dict[str, Any]]:
        """Accuracy, or R² and mean absolute error, by number of rules, for models that keep several sizes."""
        check_is_fitted(self, "model_")
        return size_table(self.model_)

    @property
    def intercept_(self) -> Any:
        """The starting score, to which the rules add their points.

        For two classes it is that of the second class minus that of the first.
        """
        check_is_fitted(self, "model_")
        scores = starting_scores(self.model_)
        if self.model_.is_number:
            return float(scores[0])
        return scores[1:] - scores[:1] if len(scores) == 2 else scores

    @property
    def feature_importances_(self) -> np.ndarray:
        """How much each column contributes to the score. The sum is 1. Only learners with rules have it."""
        rules = self.rules_
        return column_importances(self.model_, rules, self._names)

    def plot(
        self,
        kind: str,
        X: Any = None,
        y: Any = None,
        *,
        bags: Any = None,
        columns: Sequence[str] | None = None,
        ax: Any = None,
    ) -> Any:
        """Plot the fitted model. Needs matplotlib.

        Parameters
        ----------
        kind : {"gains", "roc", "calibration", "effects", "path"}
            What to plot: a curve of the predicted probabilities, the effects of columns (partial dependence),
            or the accuracy by number of rules.
        X : data frame, array of shape (n_rows, n_columns) or list of bags, default=None
            The examples. If None, curves show the out-of-fold predictions of the training examples. Effects
            need a pandas data frame.
        y : array of shape (n_examples,), default=None
            The actual class of each example in X, for curves.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for curves of a model that was trained on bags.
        columns : list of str, default=None
            The columns whose effects are shown. If None, the most important ones.
        ax : matplotlib.axes.Axes, default=None
            Where to plot; for effects, one per column. If None, a new figure.

        Returns
        -------
        matplotlib.axes.Axes, or an array of them for effects
            The axes with the plot.
        """
        from . import _plot

        check_is_fitted(self, "model_")
        if kind == "path":
            return _plot.path(ax, self.path_.columns())
        if kind == "effects":
            return _plot.effects(self, X, columns, ax)
        if kind not in ("gains", "roc", "calibration"):
            known = "gains, roc, calibration, effects, path"
            raise ValueError(f"kind: found {kind!r}; expected one of {known}")
        actual, shares = self._evaluated(X, y, bags)
        labels = [self._label(name) for name in self.model_.classes]
        return _plot.curves(kind, ax, actual, shares, labels)

    def _evaluated(self, X: Any, y: Any, bags: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the class codes and the probabilities of examples, out of fold if X is None."""
        if X is None:
            known = self.model_.out_of_fold
            if known is None or known["probabilities"] is None:
                advice = "pass X and y, or fit with inner_folds=5"
                raise ValueError(f"there are no out-of-fold probabilities; {advice}")
            return known["actual"], known["probabilities"]
        if y is None:
            raise ValueError("y: the curves need the actual classes of X")
        examples = self._examples(X, bags, reset=False)
        names = [str(label) for label in examples.per_example(np.asarray(y), "y").tolist()]
        codes = {name: code for code, name in enumerate(self.model_.classes)}
        actual = np.array([codes.get(name, -1) for name in names])
        return actual, probabilities(self._predict_examples(examples))

    def _predict_with(self, model: _native.Model, X: Any, bags: Any) -> _native.Predictions:
        """Return the predictions of another model with the same columns."""
        examples = self._examples(X, bags, reset=False)
        predictions: _native.Predictions = self._predict_examples(examples, model=model)
        return predictions

    def _label(self, name: str) -> Any:
        """Return the label of a class name."""
        for label in getattr(self, "classes_", np.array([])).tolist():
            if str(label) == name:
                return label
        return name
