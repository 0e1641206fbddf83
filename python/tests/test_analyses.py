"""Comparisons of models, and models on new data."""

import json

import numpy as np
import pandas as pd
import pellucid
import pytest
from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor
from sklearn.metrics import accuracy_score, roc_auc_score


def table(seed, rows=300, shift=0):
    stream = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": stream.normal(50 + shift, 12, rows).round(1),
            "color": stream.choice(["red", "blue", "green"], rows),
            "weight": stream.normal(70, 9, rows).round(1),
        }
    )
    score = (frame.age - 50 - shift) / 12 + (frame.color == "red") + stream.normal(0, 0.7, rows)
    frame["outcome"] = np.where(score > 0.5, "ill", "well")
    return frame


TRAIN, TEST = table(1), table(2)
COLUMNS = ["age", "color", "weight"]


@pytest.fixture(scope="module")
def models():
    return [learner.fit(TRAIN[COLUMNS], TRAIN.outcome) for learner in (RuleClassifier(), NetworkClassifier())]


def test_figures_are_those_of_each_model(models, tmp_path):
    X, y = TEST[COLUMNS], TEST.outcome
    found = pellucid.compare(*models, X, y, names=("rules", "network"), path=tmp_path / "page.html")
    figures = {one["key"]: one for one in found.figures}
    for key, model in zip("ab", models):
        assert figures["accuracy"][key]["value"] == pytest.approx(accuracy_score(y, model.predict(X)))
        probability = model.predict_proba(X)[:, list(model.classes_).index("well")]
        assert figures["auc"][key]["value"] == pytest.approx(roc_auc_score(y == "well", probability))
    predicted = [model.predict(X) for model in models]
    assert found.data["differing"] == (predicted[0] != predicted[1]).sum() == len(found.disagreements)
    first = found.disagreements[0]
    row = int(first["example"]) - 1
    assert (first["a"]["predicted"], first["b"]["predicted"]) == (predicted[0][row], predicted[1][row])
    correct = found.data["correct"]
    assert correct["only_a"] == ((predicted[0] == y) & (predicted[1] != y)).sum()
    assert (tmp_path / "page.html").read_text() == found.html
    assert "McNemar's exact test" in str(found) and "<iframe" in found._repr_html_()


def test_without_labels_only_predictions_are_compared(models):
    found = pellucid.compare(*models, TEST[COLUMNS])
    assert len(found.figures) == 0 and "no actual values" in found.text


def test_numbers_are_compared():
    X = TRAIN[COLUMNS]
    a = RuleRegressor(max_rules=1).fit(X, TRAIN.age)
    b = RuleRegressor().fit(X, TRAIN.age)
    found = pellucid.compare(a, b, TEST[COLUMNS], TEST.age)
    assert [one["key"] for one in found.figures] == ["r2", "mae", "rmse"]
    assert found.figures[0]["difference"]["low"] > 0


def test_models_of_different_targets_are_not_compared(models):
    other = pellucid.learn("rules", TRAIN.drop(columns="outcome"), target="color")
    with pytest.raises(ValueError, match="expected two models of one target"):
        pellucid.compare(models[0], other, TEST[COLUMNS])
    with pytest.raises(TypeError, match="expected a pellucid.Model or a fitted estimator"):
        pellucid.compare(models[0], 5, TEST[COLUMNS])


def test_drift_is_found(models, tmp_path):
    same = pellucid.monitor(models[0], TEST[COLUMNS], TEST.outcome)
    assert same.drifting == [] and [one["key"] for one in same.quality][0] == "accuracy"
    assert same.quality[0]["better"] is not False
    shifted = table(3, shift=25)
    found = pellucid.monitor(models[0], shifted[COLUMNS], shifted.outcome, path=tmp_path / "page.html")
    assert found.drifting == ["age"] and found.columns[0]["name"] == "age"
    assert found.columns[0]["psi"] > 0.25 and found.columns[0]["p"] < 0.001
    assert found.quality[0]["better"] is False
    assert found.data["predictions"]["severity"] != "stable"
    assert "1 of 3 columns drifts: age." in found.text
    assert (tmp_path / "page.html").read_text() == found.html


def test_the_profile_is_in_the_model_file(models, tmp_path):
    models[0].save(tmp_path / "model.json")
    loaded = pellucid.load(tmp_path / "model.json")
    direct = pellucid.monitor(models[0], TEST[COLUMNS], TEST.outcome)
    again = pellucid.monitor(loaded, TEST[COLUMNS], TEST.outcome)
    assert again.data == direct.data


def test_an_old_model_needs_a_reference(models):
    content = json.loads(models[0].to_json())
    del content["training"]
    old = pellucid.Model.from_json(json.dumps(content))
    with pytest.raises(ValueError, match="no profile of its training data"):
        pellucid.monitor(old, TEST[COLUMNS])
    found = pellucid.monitor(old, TEST[COLUMNS], reference=TRAIN[COLUMNS])
    assert found.data["reference"] == "reference" and found.drifting == []
