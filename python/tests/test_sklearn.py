"""scikit-learn's own checks of estimators, each exception by name and with its reason."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pellucid import NetworkClassifier, RuleClassifier, XCSClassifier

ESTIMATORS = [RuleClassifier(), XCSClassifier(iterations=5000), NetworkClassifier()]

EXPECTED: dict[str, dict[str, str]] = {}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda one: EXPECTED.get(type(one).__name__, {}))
def test_sklearn(estimator, check):
    check(estimator)
