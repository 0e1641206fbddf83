"""Estimators use all columns, and ``learn`` leaves out those that look like row identifiers."""

import warnings

import numpy as np
import pandas
import polars
import pytest
from sklearn.model_selection import KFold

import pellucid
from pellucid import RuleClassifier, RuleRegressor, XCSClassifier


@pytest.fixture(scope="module")
def visits_by_number():
    """Visits in order. The second half are ill, so the number of the visit matters."""
    rows = 200
    draw = np.random.default_rng(4)
    frame = pandas.DataFrame(
        {
            "id": np.arange(1, rows + 1),
            "name": [f"person {row}" for row in range(rows)],
            "x": draw.normal(size=rows),
        }
    )
    return frame, np.where(frame["id"] > 100, "ill", "well")


@pytest.mark.parametrize("kind", [RuleClassifier, XCSClassifier])
def test_estimators_keep_all_columns_in_every_fold(kind, visits_by_number):
    X, y = visits_by_number
    for shuffle in (False, True):
        for train, _ in KFold(4, shuffle=shuffle, random_state=0 if shuffle else None).split(X):
            chosen = {"iterations": 2000} if kind is XCSClassifier else {}
            model = kind(inner_folds=0, **chosen).fit(X.iloc[train], y[train])
            assert "id" in model.model_.columns and model.model_.run["left_out"] == []
    assert RuleClassifier(inner_folds=0).fit(X, y).score(X, y) == 1.0


def test_a_regressor_keeps_all_columns(visits_by_number):
    X, _ = visits_by_number
    model = RuleRegressor(inner_folds=0).fit(X, X["id"] * 2.0)
    assert "id" in model.model_.columns and model.model_.run["left_out"] == []


def test_learn_leaves_out_identifiers_with_a_warning(visits_by_number):
    X, y = visits_by_number
    frame = X.assign(ill=y)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = pellucid.learn("rules", frame, target="ill", inner_folds=0)
    assert model.run["left_out"] == ["id", "name"] and "id" not in model.columns
    assert len(caught) == 2
    assert all(one.category is UserWarning and one.filename == __file__ for one in caught)
    assert "'id' was left out" in str(caught[0].message) and "keep=['id']" in str(caught[0].message)
    assert "'name' was left out" in str(caught[1].message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = pellucid.learn("rules", frame, target="ill", keep=["id", "name"], inner_folds=0)
        assert "id" in model.columns and model.run["left_out"] == []
        model = pellucid.learn("rules", frame, target="ill", ignore=["id", "name"], inner_folds=0)
        assert "id" not in model.columns and model.run["left_out"] == []


@pytest.mark.parametrize(
    "column",
    [
        pandas.Series([np.nan] * 60),
        pandas.Series([None] * 60, dtype=object),
        pandas.Series([1.0] * 60),
        pandas.Series(pandas.period_range("2020-01", periods=60, freq="M")),
        pandas.Series(pandas.to_timedelta(range(60), unit="D")),
        pandas.Series([f"key {number}" for number in range(60)]),
        pandas.Series(pandas.arrays.SparseArray([0, 1] * 30)),
    ],
    ids=["nan", "none", "constant", "periods", "durations", "keys", "sparse"],
)
def test_no_column_is_lost_without_a_warning(column):
    frame = pandas.DataFrame({"x": np.arange(60) % 7, "odd": column})
    y = np.where(frame["x"] > 3, "a", "b")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = RuleClassifier(inner_folds=0).fit(frame, y)
        assert model.n_features_in_ == 2 and model.model_.run["left_out"] == []
        keeping = pellucid.learn("rules", frame.assign(y=y), target="y", keep=["x", "odd"], inner_folds=0)
    assert keeping.run["left_out"] == []


def test_columns_without_values_and_odd_objects():
    y = ["a", "b"] * 30
    empty = polars.DataFrame({"x": range(60), "empty": [None] * 60})
    assert RuleClassifier(inner_folds=0).fit(empty, y).n_features_in_ == 2
    lists = pandas.DataFrame({"x": range(60), "odd": [[1], [2]] * 30})
    with pytest.raises(TypeError, match="column 'odd': argument must be a string or a number, not 'list'"):
        RuleClassifier(inner_folds=0).fit(lists, y)
