"""Names and values of parameters: the words of scikit-learn, and errors that name the new word."""

import inspect

import joblib
import numpy as np
import pandas
import pytest

import pellucid
from pellucid import (
    Engine,
    NetworkClassifier,
    NetworkRegressor,
    RuleClassifier,
    RuleRegressor,
    XCSClassifier,
    XCSRegressor,
)
from pellucid._jobs import thread_count

ESTIMATORS = [
    RuleClassifier,
    RuleRegressor,
    XCSClassifier,
    XCSRegressor,
    NetworkClassifier,
    NetworkRegressor,
]
OLD = {"most_rules": "max_rules", "most_comparisons": "max_conditions", "monotone": "monotonic_cst"}


@pytest.fixture(scope="module")
def people():
    """Two classes that depend on age and income, and a number."""
    draw = np.random.default_rng(5)
    X = pandas.DataFrame({"age": draw.integers(20, 80, 300), "income": draw.normal(30, 9, 300).round(1)})
    risk = (X["age"] > 50).astype(int) + (X["income"] < 28) + (draw.random(300) < 0.1)
    return X, np.where(risk > 1, "yes", "no"), X["age"] * 2.0 - X["income"]


@pytest.mark.parametrize("old", OLD)
def test_old_names_are_errors_that_give_the_new_name(old, people):
    X, y, _ = people
    message = f"'{old}'; it is now called '{OLD[old]}'"
    with pytest.raises(TypeError, match=message):
        RuleClassifier(**{old: 3})
    with pytest.raises(TypeError, match=message):
        pellucid.learn("rules", X.assign(y=y), target="y", **{old: 3})


def test_bags_and_weights_have_one_name(people):
    X, y, _ = people
    frame = X.assign(y=y, w=1.0)
    with pytest.raises(TypeError, match="'bag'; it is now called 'bags'"):
        pellucid.learn("rules", frame, target="y", bag="w")
    with pytest.raises(TypeError, match="'weight'; it is now called 'sample_weight'"):
        pellucid.learn("rules", frame, target="y", weight="w")
    with pytest.raises(TypeError, match="'groups'; it is now called 'bags'"):
        Engine(X, y, groups=X["age"])
    model = RuleClassifier(inner_folds=0).fit(X, y)
    for method in ("predict", "predict_proba", "decision_function", "explain"):
        with pytest.raises(TypeError, match="'groups'; it is now called 'bags'"):
            getattr(model, method)(X, groups=X["age"])


def test_an_estimator_has_the_parameters_of_its_task():
    names = {kind: set(kind().get_params()) for kind in ESTIMATORS}
    assert {"class_weight", "decide", "metric", "population"} <= names[RuleClassifier]
    assert not {"class_weight", "decide", "metric", "population", "max_size"} & names[RuleRegressor]
    assert not {"mode", "metric", "generations"} & names[NetworkRegressor]
    assert {"forgiven_error", "warm_start", "size"} <= names[XCSRegressor]
    assert not {"mode", "keep_all", "accurate_from", "exploration"} & names[XCSRegressor]
    assert "loss" in names[RuleRegressor] and "loss" not in names[RuleClassifier]
    with pytest.raises(TypeError, match="'class_weight'; it is a parameter of classifiers"):
        RuleRegressor(class_weight="balanced")
    with pytest.raises(TypeError, match="'loss'; it is a parameter of regressors"):
        RuleClassifier(loss="absolute")


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_parameters_are_documented_and_have_types(kind):
    for name, parameter in inspect.signature(kind).parameters.items():
        assert f"{name} : " in kind.__doc__ or name == "warm_start", name
        assert parameter.kind is parameter.KEYWORD_ONLY and parameter.annotation is not parameter.empty


def test_one_thread_is_the_default():
    assert thread_count(None) == 1 and thread_count(3) == 3 and thread_count(-1) == -1
    with joblib.parallel_config(n_jobs=2):
        assert thread_count(None) == 2
    inner = joblib.Parallel(n_jobs=2)(joblib.delayed(thread_count)(None) for _ in range(2))
    assert inner == [1, 1]


def test_integers_of_every_type_are_accepted(people):
    X, y, _ = people
    model = RuleClassifier(max_rules=4, rules=2, interactions=1, inner_folds=0).fit(X, y)
    whole = {"max_rules": np.int32(4), "rules": np.int64(2), "interactions": np.uint8(1)}
    assert RuleClassifier(**whole, inner_folds=0).fit(X, y).to_json() == model.to_json()
    assert NetworkClassifier(top=1, inner_folds=0, nodes=2, rounds=1).fit(X, y).model_.parameters["top"] == 1


@pytest.mark.parametrize(
    "constraint",
    [{"age": 1, "income": -1}, {"age": 1, "income": 0}, [1, -1], np.array([1, 0]), ["age=+", "income=-"]],
    ids=str,
)
def test_monotonic_constraints(constraint, people):
    X, y, number = people
    for kind, target in ((RuleClassifier, y), (RuleRegressor, number)):
        model = kind(monotonic_cst=constraint, inner_folds=0, max_rules=6).fit(X, target)
        ages = pandas.DataFrame({"age": np.arange(20, 80), "income": 30.0})
        scores = model.decision_function(ages) if kind is RuleClassifier else model.predict(ages)
        assert (np.diff(scores) >= 0).all()


def test_invalid_monotonic_constraints(people):
    X, y, _ = people
    for constraint, message in (
        ([1], "found 1 values; expected 2"),
        ({"age": 2}, "found 2 for column 'age'"),
        ({"agee": 1}, "monotonic_cst.*'agee'.*did you mean 'age'"),
    ):
        with pytest.raises(ValueError, match=message):
            RuleClassifier(monotonic_cst=constraint, inner_folds=0).fit(X, y)


def test_the_goal_of_the_threshold(people):
    X, y, _ = people
    chosen = {"max_rules": 4, "always_vote": True}
    text = RuleClassifier(decide="cost:yes=5", **chosen).fit(X, y)
    by_cost = RuleClassifier(decide={"cost": {"yes": 5}}, **chosen).fit(X, y)
    assert text.model_.parameters["decide"] == by_cost.model_.parameters["decide"]
    assert text.predict(X).tolist() == by_cost.predict(X).tolist()
    numbers = RuleClassifier(decide={"cost": {1: 5}}, **chosen).fit(X, (y == "yes").astype(int))
    assert (numbers.predict(X) == 1).tolist() == (by_cost.predict(X) == "yes").tolist()
    recall = RuleClassifier(decide={"recall": 0.9}, **chosen).fit(X, y)
    assert recall.model_.parameters["decide"] == "recall=0.9"
    RuleClassifier(decide="balanced_accuracy", **chosen).fit(X, y)
    for wrong in ({"costs": {}}, {"cost": {"maybe": 2}}, 5):
        with pytest.raises(ValueError, match="decide"):
            RuleClassifier(decide=wrong, inner_folds=0).fit(X, y)


def test_learn_takes_the_same_values(people):
    X, y, _ = people
    chosen = {"monotonic_cst": {"age": 1}, "decide": {"cost": {"yes": 3}}, "class_weight": {"yes": 2}}
    estimator = RuleClassifier(**chosen).fit(X, y)
    learned = pellucid.learn("rules", X.assign(target=y), target="target", **chosen)
    assert learned.to_json() == estimator.to_json()
