"""Which columns are learned from: all of an estimator's, and of a frame all that do not seem to name the rows."""

import warnings

import numpy as np
import pandas
import pytest
from sklearn.model_selection import KFold

import pellucid
from pellucid import RuleClassifier, RuleRegressor, XCSClassifier


@pytest.fixture(scope="module")
def visits_by_number():
    """Visits in their order; illness began in the middle, so the number of the visit matters."""
    rows = 200
    draw = np.random.default_rng(4)
    frame = pandas.DataFrame(
        {"id": np.arange(1, rows + 1), "name": [f"person {row}" for row in range(rows)], "x": draw.normal(size=rows)}
    )
    return frame, np.where(frame["id"] > 100, "ill", "well")


@pytest.mark.parametrize("kind", [RuleClassifier, XCSClassifier])
def test_estimators_keep_all_columns_in_every_fold(kind, visits_by_number):
    X, y = visits_by_number
    for shuffle in (False, True):
        for train, _ in KFold(4, shuffle=shuffle, random_state=0 if shuffle else None).split(X):
            chosen = {"iterations": 2000} if kind is XCSClassifier else {}
            if len(set(y[train])) == 2:
                model = kind(inner_folds=0, **chosen).fit(X.iloc[train], y[train])
                assert list(model.model_.columns) == ["id", "name", "x"]
    assert RuleClassifier(inner_folds=0).fit(X, y).score(X, y) == 1.0


def test_a_regressor_keeps_them_too(visits_by_number):
    X, _ = visits_by_number
    model = RuleRegressor(inner_folds=0).fit(X, X["id"] * 2.0)
    assert list(model.model_.columns) == ["id", "name", "x"]


def test_learn_leaves_out_names_and_says_so(visits_by_number):
    X, y = visits_by_number
    frame = X.assign(ill=y)
    with pytest.warns(UserWarning, match=r"'id' was left out.*keep=\['id'\]") as told:
        model = pellucid.learn("rules", frame, target="ill", inner_folds=0)
    assert list(model.columns) == ["x"]
    assert len(told) == 2 and "'name'" in str(told[1].message) and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pellucid.learn("rules", frame, target="ill", keep=["id", "name"], inner_folds=0)
        assert list(model.columns) == ["id", "name", "x"]
        model = pellucid.learn("rules", frame, target="ill", ignore=["id", "name"], inner_folds=0)
        assert list(model.columns) == ["x"]
