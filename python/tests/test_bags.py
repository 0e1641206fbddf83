"""Bags: groups of rows with one class each."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from sklearn.model_selection import cross_val_score

from pellucid import RuleClassifier


@pytest.fixture(scope="module")
def bags():
    """Bags that are positive if a row is in a corner of the unit cube."""
    draw = np.random.default_rng(11)
    bags = [draw.random((draw.integers(2, 9), 3)) for _ in range(80)]
    y = np.array([int(((bag[:, 0] > 0.75) & (bag[:, 1] < 0.5)).any()) for bag in bags])
    return bags, y


def flat(bags):
    return np.concatenate(bags), np.repeat([f"bag {n}" for n in range(len(bags))], [len(bag) for bag in bags])


def test_a_list_and_groups_give_the_same_model(bags):
    bags, y = bags
    X, names = flat(bags)
    listed = RuleClassifier(max_rules=6).fit(bags, y)
    grouped = RuleClassifier(max_rules=6).fit(X, y, bags=names)
    assert listed.show() == grouped.show()
    by_row = RuleClassifier(max_rules=6).fit(X, np.repeat(y, [len(bag) for bag in bags]), bags=names)
    assert by_row.to_json() == grouped.to_json()
    predicted = listed.predict(bags)
    assert len(predicted) == len(bags) and (predicted == y).mean() > 0.9
    assert predicted.tolist() == grouped.predict(X, bags=names).tolist()
    assert listed.predict_proba(bags).shape == (len(bags), 2)
    assert ((listed.decision_function(bags) > 0) == predicted).all()


def test_rows_of_a_bag_need_not_be_adjacent(bags):
    bags, y = bags
    X, names = flat(bags)
    model = RuleClassifier(max_rules=6).fit(X, y, bags=names)
    order = np.random.default_rng(0).permutation(len(X))
    first = list(dict.fromkeys(names[order]))
    wanted = dict(zip(dict.fromkeys(names), model.predict(X, bags=names)))
    assert model.predict(X[order], bags=names[order]).tolist() == [wanted[name] for name in first]
    shuffled = np.array([dict(zip(dict.fromkeys(names), y))[name] for name in first])
    again = RuleClassifier(max_rules=6).fit(X[order], shuffled, bags=names[order])
    assert again.show() == model.show()


@pytest.mark.parametrize(
    "make",
    [
        pandas.DataFrame,
        lambda bag: polars.DataFrame(bag),
        lambda bag: pyarrow.table({str(n): bag[:, n] for n in range(3)}),
    ],
)
def test_bags_of_frames(bags, make):
    bags, y = bags
    frames = [make(bag) for bag in bags]
    model = RuleClassifier(max_rules=6).fit(frames, y)
    plain = RuleClassifier(max_rules=6).fit(bags, y)
    assert model.predict(frames).tolist() == plain.predict(bags).tolist()


def test_cross_validation_keeps_bags_whole(bags):
    bags, y = bags
    assert cross_val_score(RuleClassifier(max_rules=6, inner_folds=0), bags, y, cv=4).mean() > 0.8


def test_bags_have_weights(bags):
    bags, y = bags
    X, names = flat(bags)
    weights = np.where(y == 1, 4.0, 1.0)
    one = RuleClassifier().fit(bags, y, sample_weight=weights)
    row_weights = np.repeat(weights, [len(bag) for bag in bags])
    other = RuleClassifier().fit(X, y, bags=names, sample_weight=row_weights)
    assert one.show() == other.show()


def test_inconsistent_input_is_an_error(bags):
    bags, y = bags
    X, names = flat(bags)
    model = RuleClassifier(max_rules=3, inner_folds=0).fit(bags, y)
    with pytest.raises(ValueError, match="trained on bags"):
        model.predict(X)
    with pytest.raises(ValueError, match="trained on rows"):
        RuleClassifier(inner_folds=0).fit(X, X[:, 0] > 0.5).predict(bags)
    with pytest.raises(ValueError, match="list of bags already"):
        model.predict(bags, bags=names)
    with pytest.raises(ValueError, match="bag 3 has no rows"):
        model.predict([bags[0], bags[1], bags[2][:0]])
    with pytest.raises(ValueError, match="one per bag"):
        RuleClassifier().fit(bags, y[:-1])
    mixed = np.repeat(y, [len(bag) for bag in bags])
    mixed[0] = 1 - mixed[0]
    with pytest.raises(ValueError, match="bag"):
        RuleClassifier().fit(X, mixed, bags=names)


def test_an_explanation_names_the_row(bags):
    bags, y = bags
    model = RuleClassifier(max_rules=6, inner_folds=0).fit(bags, y)
    explanation = model.explain(bags, int(np.flatnonzero(y)[0]))
    assert "row" in explanation.text and explanation.data
