"""scikit-learn's own checks of estimators, each exception by name and with its reason."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier

ESTIMATORS = [
    RuleClassifier(most_rules=5, inner_folds=2),
    XCSClassifier(iterations=2000, population=100, inner_folds=2),
    NetworkClassifier(inner_folds=2),
    RuleRegressor(most_rules=5, inner_folds=2),
]

_FOLDS = "rows are dealt into inner folds and drawn one by one, and a row of weight two is not dealt as two rows are"
EXPECTED = {
    "RuleClassifier": {"check_sample_weight_equivalence_on_dense_data": _FOLDS},
    "RuleRegressor": {"check_sample_weight_equivalence_on_dense_data": _FOLDS},
    "XCSClassifier": {"check_sample_weight_equivalence_on_dense_data": _FOLDS},
}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda one: EXPECTED.get(type(one).__name__, {}))
def test_sklearn(estimator, check):
    check(estimator)
