"""Scores of estimators that take bags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn.utils.validation import column_or_1d

from ._frames import as_array, is_bags


class BagScore:
    """The score of an estimator on rows or bags."""

    predict: Any
    _examples: Any

    def _bag_score(
        self, metric: Callable[..., Any], X: Any, y: Any, sample_weight: Any, bags: Any
    ) -> float:
        """Return a metric of the predictions. ``y`` and the weights are given per row or per bag."""
        if bags is None and not is_bags(X):
            return float(metric(y, self.predict(X), sample_weight=sample_weight))
        examples = self._examples(X, bags, reset=False)
        actual = examples.per_example(column_or_1d(y), "y")
        if sample_weight is not None:
            sample_weight = examples.per_example(as_array(sample_weight), "sample_weight")
        return float(metric(actual, self.predict(X, bags=bags), sample_weight=sample_weight))
