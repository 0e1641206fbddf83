"""Rules, importances and other tables of fitted models, and their plots."""

import pickle

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance

import pellucid
from pellucid import Engine, NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier

FEATURES = ["value", "count", "colour", "smoker", "seen"]


@pytest.fixture(scope="module")
def fitted(visits):
    return RuleClassifier(max_rules=6, always_vote=True).fit(visits[FEATURES], visits["ill"])


def total(model, X, **more):
    """The score of each example, as the sum of the points of the rules that cover it."""
    labels = model.classes_.tolist()
    scores = np.zeros((len(next(iter(model.rules_)).mask(X, **more)), len(labels)))
    for rule in model.rules_:
        for label, points in rule["points"].items():
            scores[:, labels.index(label)] += points * rule.mask(X, **more)
    return scores


def test_points_of_covering_rules_add_up_to_the_score(fitted, visits):
    X = visits[FEATURES]
    scores = total(fitted, X)
    score = fitted.intercept_[0] + scores[:, 1] - scores[:, 0]
    assert np.allclose(score, fitted.decision_function(X), atol=1e-9)


def test_points_add_up_for_several_classes():
    draw = np.random.default_rng(0)
    X = pandas.DataFrame({"a": draw.normal(size=300).round(2), "b": draw.choice(["u", "v"], 300)})
    y = np.where(X["a"] > 0.5, 3, np.where(X["b"] == "u", 2, 1))
    for model in (RuleClassifier(always_vote=True, inner_folds=0), XCSClassifier(iterations=5000)):
        model.fit(X, y)
        assert np.allclose(model.intercept_ + total(model, X), model.decision_function(X), atol=1e-6)
        assert set(model.rules_.to_frame()["class"]) <= {1, 2, 3}


def test_records_of_rules(fitted, visits):
    X, y = visits[FEATURES], visits["ill"].to_numpy()
    assert len(fitted.rules_) == fitted.model_.summary["rules"]
    for number, rule in enumerate(fitted.rules_, 1):
        covered = rule.mask(X)
        assert rule["rule"] == number and rule["covered"] == covered.sum()
        assert rule["coverage"] == pytest.approx(covered.mean())
        assert rule["precision"] == pytest.approx((y[covered] == rule["class"]).mean())
        assert set(rule.columns) <= set(FEATURES) and set(rule.points) <= {"no", "yes"}
    by_engine = Engine(X, cover=True).rows(fitted.rules_[0].condition)
    assert np.flatnonzero(fitted.rules_[0].mask(X)).tolist() == by_engine.tolist()


def test_rules_as_a_data_frame(fitted):
    frame = fitted.rules_.to_frame()
    assert list(frame.columns[:6]) == ["rule", "condition", "class", "covered", "coverage", "precision"]
    assert frame.filter(like="points_").to_numpy().any() and len(frame) == len(fitted.rules_)
    assert len(pandas.DataFrame(fitted.rules_)) == len(fitted.rules_)
    assert "condition" in repr(fitted.rules_) and "<table" in fitted.rules_._repr_html_()
    assert fitted.rules_[0]["condition"] in repr(fitted.rules_[0])


def test_rules_have_points_for_several_classes_and_a_stability():
    draw = np.random.default_rng(3)
    X = draw.normal(size=(400, 3))
    y = np.where(X[:, 0] > 0.3, np.where(X[:, 1] > 0, "a", "b"), np.where(X[:, 1] > 0, "c", "d"))
    model = RuleClassifier().fit(X, y)
    assert any(len(rule.points) > 1 for rule in model.rules_)
    assert all(0.0 <= rule["stability"] <= 1.0 for rule in model.rules_)
    assert max(rule["stability"] for rule in model.rules_) > 0.9
    assert model.score(X, y) > 0.95


def test_rules_of_a_model_file(fitted, visits, tmp_path):
    fitted.save(tmp_path / "model.json")
    opened = pellucid.load(tmp_path / "model.json")
    for one, other in zip(opened.rules, fitted.rules_):
        assert one.mask(visits).tolist() == other.mask(visits[FEATURES]).tolist()
    assert opened.path.to_frame()["selected"].sum() == 1


def test_rules_of_numbers_and_lists(visits):
    X = visits[["value", "count"]].fillna(50)
    model = RuleRegressor(max_rules=5, inner_folds=0).fit(X, X["value"] + X["count"])
    found = model.intercept_ + sum(rule.points * rule.mask(X) for rule in model.rules_)
    assert np.allclose(found, model.predict(X), atol=1e-6)
    assert "points" in model.rules_.to_frame() and "precision" not in model.rules_.to_frame()
    listed = RuleClassifier(mode="list", inner_folds=0).fit(visits[FEATURES], visits["ill"])
    assert listed.rules_[0].mask(visits[FEATURES]).any()


def test_rules_of_bags():
    draw = np.random.default_rng(11)
    bags = [draw.random((draw.integers(2, 9), 3)) for _ in range(80)]
    y = np.array([int((bag[:, 0] > 0.5).sum() >= 2) for bag in bags])
    model = RuleClassifier(hypothesis={"between": (1, 2)}, inner_folds=0).fit(bags, y)
    scores = total(model, bags)
    assert np.allclose(model.intercept_ + scores[:, 1] - scores[:, 0], model.decision_function(bags))
    rows, names = np.concatenate(bags), np.repeat(np.arange(80), [len(bag) for bag in bags])
    assert model.rules_[0].mask(rows, bags=names).tolist() == model.rules_[0].mask(bags).tolist()


@pytest.mark.parametrize("kind", [RuleClassifier, XCSClassifier])
def test_importances(kind, visits):
    X, y = visits[FEATURES], visits["ill"]
    fitted = kind(max_rules=20, inner_folds=0).fit(X, y)
    importances = fitted.feature_importances_
    assert importances.shape == (len(FEATURES),) and importances.sum() == pytest.approx(1.0)
    measured = permutation_importance(fitted, X, y, n_repeats=2, random_state=0).importances_mean
    assert FEATURES[importances.argmax()] == FEATURES[measured.argmax()] == "value"


def test_learners_without_rules_have_no_rules(visits):
    X, y = visits[FEATURES], visits["ill"]
    network = NetworkClassifier(inner_folds=0).fit(X, y)
    for name in ("rules_", "intercept_", "feature_importances_", "path_"):
        assert not hasattr(network, name), name
        with pytest.raises(NotFittedError):
            getattr(RuleClassifier(), name)


def test_tables_become_data_frames(fitted, visits):
    path = fitted.path_.to_frame()
    assert {"rules", "accuracy", "auc", "selected"} <= set(path.columns) and path["selected"].sum() == 1
    described = pellucid.describe(visits).to_frame()
    assert described["name"].tolist() == visits.columns.tolist()


def test_out_of_fold_predictions(fitted, visits):
    known = fitted.model_.out_of_fold
    accuracy = (known["actual"] == known["predicted"]).mean()
    assert accuracy == pytest.approx(fitted.model_.run["held_out"]["accuracy"]["value"], abs=0.02)
    assert np.allclose(known["probabilities"].sum(axis=1), 1.0)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.model_.out_of_fold["actual"], known["actual"])
    assert pellucid.Model.from_json(fitted.to_json()).out_of_fold is None


@pytest.mark.parametrize("kind", ["gains", "roc", "calibration", "path", "effects"])
def test_plots(kind, fitted, visits):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y = visits[FEATURES], visits["ill"]
    axes = fitted.plot(kind, X if kind == "effects" else None)
    first = axes[0] if kind == "effects" else axes
    assert first.get_lines() and first.get_xlabel() and first.get_title()
    if kind in ("gains", "roc", "calibration"):
        given = first.figure.subplots()
        assert fitted.plot(kind, X, y, ax=given) is given
    matplotlib.pyplot.close("all")


def test_plots_need_data_and_a_known_kind(visits):
    model = RuleClassifier(mode="g3p-mi", generations=2, inner_folds=0).fit(visits[FEATURES], visits["ill"])
    with pytest.raises(ValueError, match="no out-of-fold probabilities; pass X and y"):
        model.plot("roc")
    with pytest.raises(ValueError, match="kind: found 'rock'; expected one of gains, roc"):
        model.plot("rock")
