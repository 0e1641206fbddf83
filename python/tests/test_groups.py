"""Groups and bags in cross-validation, by metadata routing."""

import numpy as np
import pandas
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score

from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture(scope="module")
def bags():
    """Rows in bags that are positive if a row is in a corner, with the bag and the class of each row."""
    draw = np.random.default_rng(11)
    sizes = draw.integers(2, 9, 80)
    names = np.repeat([f"bag {number}" for number in range(80)], sizes)
    X = draw.random((len(names), 3))
    corner = pandas.Series((X[:, 0] > 0.75) & (X[:, 1] < 0.5)).groupby(names).transform("any")
    return X, corner.to_numpy().astype(int), names


def test_score_counts_bags(bags):
    X, y, names = bags
    model = RuleClassifier(max_rules=4, inner_folds=0).fit(X, y, bags=names)
    first = ~pandas.Series(names).duplicated().to_numpy()
    expected = (model.predict(X, bags=names) == y[first]).mean()
    assert model.score(X, y, bags=names) == expected == model.score(X, y[first], bags=names)
    wrong = y[first]
    wrong[0] = 1 - wrong[0]
    weights = np.where(np.arange(len(wrong)) == 0, 0.0, 1.0)
    assert model.score(X, wrong, bags=names) < model.score(X, wrong, weights, bags=names)
    number = RuleRegressor(max_rules=4, inner_folds=0).fit(X, y * 2.0, bags=names)
    assert number.score(X, y * 2.0, bags=names) > 0.5


def test_cross_validation_with_bags(bags, routing):
    X, y, names = bags
    model = RuleClassifier(max_rules=4, inner_folds=0)
    model.set_fit_request(bags=True, groups=False).set_score_request(bags=True)
    scores = cross_val_score(model, X, y, cv=GroupKFold(4), params={"bags": names, "groups": names})
    assert len(scores) == 4 and scores.mean() > 0.8
    search = GridSearchCV(model, {"max_rules": [1, 4]}, cv=GroupKFold(3)).fit(X, y, bags=names, groups=names)
    assert search.best_score_ > 0.8 and search.best_estimator_.model_.bag is not None


def test_groups_must_be_routed_or_refused(bags, routing):
    X, y, names = bags
    model = RuleClassifier(max_rules=4, inner_folds=0)
    with pytest.raises(Exception, match="groups.*are not explicitly set"):
        cross_val_score(model, X, y, cv=GroupKFold(4), params={"groups": names}, error_score="raise")


@pytest.mark.parametrize("kind", [RuleClassifier, XCSClassifier, NetworkClassifier])
def test_inner_folds_keep_groups_together(kind):
    """Each person has several rows that are nearly the same, and a random class."""
    draw = np.random.default_rng(0)
    person = np.repeat(np.arange(60), 5)
    X = draw.normal(size=(60, 3))[person] + draw.normal(size=(300, 3)) / 1000
    y = draw.integers(0, 2, 60)[person]
    chosen = {"iterations": 20000} if kind is XCSClassifier else {}
    apart = kind(**chosen).fit(X, y).model_.run["held_out"]["accuracy"]["value"]
    together = kind(**chosen).fit(X, y, groups=person).model_.run["held_out"]["accuracy"]["value"]
    assert together < apart and together < 0.7


def test_groups_of_bags(bags):
    X, y, names = bags
    hospital = np.array([int(name.split()[1]) % 10 for name in names])
    RuleClassifier(max_rules=2).fit(X, y, bags=names, groups=hospital)
    with pytest.raises(ValueError, match="groups"):
        RuleClassifier(max_rules=2).fit(X, y, bags=names, groups=np.arange(len(X)))


def test_a_splitter_is_not_an_array(bags):
    X, y, names = bags
    for name in ("groups", "bags"):
        with pytest.raises(TypeError, match=f"{name}: found a GroupKFold; expected an array"):
            RuleClassifier().fit(X, y, **{name: GroupKFold(4)})
        with pytest.raises(TypeError, match=f"{name}: found 'person'"):
            RuleClassifier().fit(X, y, **{name: "person"})


def test_bags_given_as_groups_are_noticed(bags):
    X, y, names = bags
    first = ~pandas.Series(names).duplicated().to_numpy()
    with pytest.raises(ValueError, match="one value per bag, pass the bag of each row as bags"):
        RuleClassifier().fit(X, y[first], groups=names)
