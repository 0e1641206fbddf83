"""The estimator checks of scikit-learn, with a reason for each expected failure."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pellucid import (
    NetworkClassifier,
    NetworkRegressor,
    RuleClassifier,
    RuleRegressor,
    XCSClassifier,
    XCSRegressor,
)

ESTIMATORS = [
    RuleClassifier(max_rules=5, inner_folds=2),
    XCSClassifier(iterations=2000, population=100, inner_folds=2),
    XCSRegressor(iterations=2000, population=100, inner_folds=2),
    NetworkClassifier(inner_folds=2),
    NetworkRegressor(inner_folds=2),
    RuleRegressor(max_rules=5, inner_folds=2),
]

_FOLDS = (
    "the number of rules is selected on held-out rows, and copies of these are in the training data: from "
    "random labels, copies give rules and weights correctly give none"
)
_DRAWN = "examples are drawn one by one with their weights, and two copies are drawn at different steps"
_EQUIVALENCE = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
EXPECTED = {
    "RuleClassifier": dict.fromkeys(_EQUIVALENCE, _FOLDS),
    "RuleRegressor": dict.fromkeys(_EQUIVALENCE, _FOLDS),
    "XCSClassifier": dict.fromkeys(_EQUIVALENCE, _DRAWN),
    "XCSRegressor": dict.fromkeys(_EQUIVALENCE, _DRAWN),
}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=lambda one: EXPECTED.get(type(one).__name__, {}))
def test_sklearn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_pickles_of_earlier_versions_find_the_class(estimator):
    """Pickles contain the name of the module."""
    assert type(estimator).__module__ == "pellucid._estimators"


@pytest.mark.parametrize("kind", [RuleClassifier, RuleRegressor])
def test_weights_do_not_create_rules_from_noise(kind):
    """Copied rows are not equivalent to weights: copies of random labels seem to predict each other."""
    draw = np.random.RandomState(42)
    X, y, weight = draw.rand(150, 8), draw.randint(0, 2, 150), draw.randint(1, 4, 150)
    weighed = kind(max_rules=5, inner_folds=0).fit(X, y, sample_weight=weight)
    copied = kind(max_rules=5, inner_folds=0).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert weighed.model_.summary["rules"] < copied.model_.summary["rules"]
