"""Decisions, explanations, sparse data, checkpoints and continued training."""

import json
import warnings

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score

import pellucid
from pellucid import (
    Engine,
    NetworkClassifier,
    RuleClassifier,
    RuleRegressor,
    XCSClassifier,
    XCSRegressor,
)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X[["worst radius", "worst texture", "mean concavity"]], y


@pytest.mark.parametrize("labels", [[0, 1], [1.0, 2.0], [False, True], ["a", "b"]], ids=str)
def test_thresholds_and_costs_keep_the_types_of_labels(labels, cancer):
    X, codes = cancer
    y = np.array(labels)[codes]
    model = RuleClassifier(max_rules=4).fit(X, y)
    high = model.predict(X, threshold=0.9)
    assert high.dtype == y.dtype and set(high.tolist()) <= set(labels)
    assert (high == labels[1]).tolist() == (model.predict_proba(X)[:, 1] >= 0.9).tolist()
    careful = model.predict(X, cost={labels[0]: 20})
    assert careful.dtype == y.dtype and (careful == labels[0]).sum() > (model.predict(X) == labels[0]).sum()
    by_model = model.model_.predict(X, cost={labels[0]: 20})
    assert by_model.tolist() == [str(label) for label in careful.tolist()]
    with pytest.raises(ValueError, match="cost: found class 'nobody'"):
        model.predict(X, cost={"nobody": 2})


def test_explanations_count_rows_from_0(cancer):
    X, y = cancer
    model = RuleClassifier(max_rules=4).fit(X, y)
    for explain in (model.explain, model.model_.explain):
        third = explain(X, 3)
        assert third.text.startswith("row 3: ") and third.data["example"] == 3
        assert "    row 3: " in third.text and "row 4" not in third.text
        assert explain(X, -1).text == explain(X, len(X) - 1).text
        with pytest.raises(IndexError, match=f"row {len(X)} is out of range"):
            explain(X, len(X))


def test_an_explanation_looks_at_one_row_only(cancer):
    X, y = cancer
    X = X.assign(colour=np.where(y == 1, "red", "blue"))
    model = RuleClassifier(max_rules=4).fit(X, y)
    X.loc[7, "colour"] = "violet"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.explain(X, 3)
    with pytest.warns(UserWarning, match="'colour'"):
        model.explain(X, 7)


def test_explanations_of_bags_name_rows_of_the_data():
    draw = np.random.default_rng(1)
    bags = [draw.random((4, 2)) for _ in range(60)]
    y = np.array([int((bag[:, 0] > 0.8).any()) for bag in bags])
    model = RuleClassifier(inner_folds=0).fit(bags, y)
    index = int(np.flatnonzero(y)[3])
    rows = np.concatenate(bags)
    frame = pandas.DataFrame(rows, columns=["x1", "x2"]).assign(bag=np.repeat(np.arange(1, 61), 4))
    texts = {
        model.explain(bags, index).text,
        model.explain(rows, index, bags=np.repeat(np.arange(1, 61), 4)).text,
        model.model_.explain(bags, index).text,
        model.model_.explain(frame, index).text,
    }
    assert len(texts) == 1
    covering = [row for row in range(4 * index, 4 * index + 4) if rows[row, 0] > 0.8]
    assert f"row {covering[0]}: x1" in texts.pop()


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("kind", [RuleClassifier, XCSClassifier, NetworkClassifier, RuleRegressor])
def test_sparse_matrices(form, kind):
    draw = np.random.default_rng(2)
    dense = np.where(draw.random((200, 6)) < 0.3, draw.integers(1, 9, (200, 6)), 0).astype(float)
    y = (dense[:, 0] + dense[:, 1] > 4).astype(int)
    chosen = {"iterations": 2000} if kind is XCSClassifier else {}
    model = kind(inner_folds=0, **chosen).fit(dense, y)
    for sparse in (scipy.sparse.csr_array(dense), scipy.sparse.csr_matrix(dense)):
        sparse = sparse.asformat(form)
        assert kind(inner_folds=0, **chosen).fit(sparse, y).to_json() == model.to_json()
        assert np.array_equal(model.predict(sparse), model.predict(dense))
        assert np.array_equal(model.model_.predict(sparse), model.model_.predict(dense))
        assert model.explain(sparse, 5).text == model.explain(dense, 5).text
    assert Engine(sparse, y).evaluate(["x1 > 3"]).tolist() == Engine(dense, y).evaluate(["x1 > 3"]).tolist()


def test_a_folder_of_checkpoints_serves_cross_validation(cancer, tmp_path):
    X, y = cancer
    chosen = {"mode": "g3p-mi", "generations": 8, "population": 40, "inner_folds": 0}
    plain = cross_val_score(RuleClassifier(**chosen), X, y, cv=3)
    saved = RuleClassifier(checkpoint=tmp_path, **chosen)
    assert cross_val_score(saved, X, y, cv=3, error_score="raise").tolist() == plain.tolist()
    assert len(list(tmp_path.glob("rules-*.checkpoint"))) == 3
    search = GridSearchCV(saved, {"tournament": [2, 3]}, cv=3, error_score="raise").fit(X, y)
    assert search.best_score_ >= plain.mean() - 0.1
    # The same runs again continue from their files: 3 folds twice, and the refit.
    assert len(list(tmp_path.glob("rules-*.checkpoint"))) == 7
    frame = X.assign(y=y)
    pellucid.learn("rules", frame, target="y", checkpoint=tmp_path, **chosen)
    assert len(list(tmp_path.glob("rules-*.checkpoint"))) == 8


def test_a_single_checkpoint_file_belongs_to_one_training_set(cancer, tmp_path):
    X, y = cancer
    chosen = {"mode": "g3p-mi", "generations": 3, "population": 40, "inner_folds": 0}
    model = RuleClassifier(checkpoint=tmp_path / "run.checkpoint", **chosen).fit(X, y)
    with pytest.raises(ValueError, match="run.checkpoint.*use a folder"):
        model.fit(X[:300], y[:300])


def test_classifier_systems_continue_with_warm_start(cancer):
    X, y = cancer
    cold = XCSClassifier(iterations=3000, inner_folds=0, warm_start=True, random_state=1).fit(X, y)
    first = cold.to_json()
    again = XCSClassifier(iterations=3000, inner_folds=0, warm_start=True, random_state=1).fit(X, y)
    assert again.to_json() == first
    warm = again.fit(X, y)
    assert warm.to_json() != first
    experience = [rule["experience"] for rule in stored_population(warm)]
    assert max(experience) > max(rule["experience"] for rule in stored_population(cold))


def test_a_classifier_system_learns_a_number_and_continues():
    draw = np.random.default_rng(5)
    X = pandas.DataFrame({"age": draw.integers(20, 80, 300), "income": draw.normal(30, 9, 300).round(1)})
    y = 10.0 * (X["age"] > 50) - 5.0 * (X["income"] > 35)
    cold = XCSRegressor(iterations=3000, inner_folds=0, warm_start=True, random_state=1).fit(X, y)
    assert cold.score(X, y) > 0.8 and "age" in str(cold)
    assert cold.rules_.to_frame()["condition"].str.contains("age").any()
    expected = cold.intercept_ + sum(rule.mask(X) * rule.points for rule in cold.rules_)
    np.testing.assert_allclose(cold.predict(X), expected)
    again = XCSRegressor(iterations=1000, inner_folds=0, warm_start=True, random_state=1).fit(X, y)
    before = {rule["when"]: rule["experience"] for rule in stored_population(again)}
    after = {rule["when"]: rule["experience"] for rule in stored_population(again.fit(X, y))}
    assert sum(after.get(when, 0) > experience for when, experience in before.items()) > len(before) / 3


def stored_population(model):
    return json.loads(model.to_json())["model"]["everyone"]
