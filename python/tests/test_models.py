"""Models: saving, copying, exports and representations."""

import html
import json
import pickle
import re
import sqlite3

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pellucid
from pellucid import NetworkClassifier, NetworkRegressor, RuleClassifier, XCSClassifier


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X[["worst radius", "worst texture", "mean concavity", "worst concave points"]], y


@pytest.fixture(scope="module", params=[RuleClassifier, XCSClassifier, NetworkClassifier])
def fitted(request, cancer):
    chosen = {"iterations": 5000} if request.param is XCSClassifier else {}
    return request.param(inner_folds=3, **chosen).fit(*cancer)


def test_pickled_and_cloned(fitted, cancer):
    X, y = cancer
    again = pickle.loads(pickle.dumps(fitted))
    assert again.to_json() == fitted.to_json()
    assert np.array_equal(again.predict_proba(X), fitted.predict_proba(X))
    copy = clone(fitted)
    assert not hasattr(copy, "model_") and copy.get_params() == fitted.get_params()
    assert copy.fit(X, y).to_json() == fitted.to_json()


def test_exports_predict_the_same(fitted, cancer):
    X, _ = cancer
    assert pellucid.Model.from_json(fitted.to_json()).show() == fitted.show()
    forms = fitted.model_.forms
    assert {"text", "json"} < set(forms)
    for form in forms:
        assert fitted.model_.export(form)
    with pytest.raises(ValueError, match="unknown form"):
        fitted.model_.export("nothing")
    module = {}
    exec(fitted.to_python(), module)
    rows = X.head(40).to_dict("records")
    predicted = [module["predict"](row) for row in rows]
    assert [str(one[0] if isinstance(one, tuple) else one) for one in predicted] == [
        str(one) for one in fitted.predict(X.head(40))
    ]


def test_sql_predicts_the_same(cancer):
    X, y = cancer
    model = RuleClassifier(max_rules=6, inner_folds=0).fit(X, y)
    with sqlite3.connect(":memory:") as base:
        X.to_sql("patients", base, index_label="id")
        found = pandas.read_sql_query(model.to_sql("patients"), base)
    assert found["predicted"].astype(str).tolist() == model.predict(X).astype(str).tolist()


def test_onnx_export(cancer):
    X, y = cancer
    assert NetworkClassifier(inner_folds=0).fit(X, y).to_onnx()[:1] == b"\x08"
    with pytest.raises(ValueError, match="onnx"):
        RuleClassifier(inner_folds=0).fit(X, y).to_onnx()


def test_models_of_other_sizes(cancer):
    X, y = cancer
    model = RuleClassifier().fit(X, y).model_
    short = model.with_rules(2)
    assert short.show() == model.show(2) and short.summary["rules"] <= 2
    system = XCSClassifier(iterations=2000, inner_folds=0).fit(X, y).model_
    assert system.with_rules(3).summary["rules"] <= 3
    with pytest.raises(ValueError, match="rules"):
        NetworkClassifier(inner_folds=0).fit(X, y).model_.with_rules(3)


def test_shown_in_a_notebook(fitted, cancer):
    page = fitted._repr_html_()
    assert "<script" not in page
    if isinstance(fitted, RuleClassifier):
        assert "<svg" in page and 'class="bar"' in page and "worst" in page
        assert "Held-out accuracy" in page
        assert fitted.to_html(part=True) in page and fitted.to_html().startswith("<!doctype html>")
    assert fitted._repr_mimebundle_()["text/plain"] == str(fitted) == fitted.show()
    assert "<pre" in fitted.explain(cancer[0], 3)._repr_html_()


def test_the_table_of_points_is_shown():
    random = np.random.default_rng(0)
    age, size = random.integers(20, 70, 400), random.normal(size=400)
    score = (age > 30) * 1.0 + (age > 50) + (size > 0) + random.normal(size=400) / 2
    y = np.where(score > 1.5, "ill", "well")
    X = pandas.DataFrame({"age": age, "size": size})
    fitted = RuleClassifier(max_conditions=1, always_vote=True, size="large").fit(X, y)
    text, page = fitted.show(), fitted._repr_html_()
    chart = text.split("The same model as a table of points")[1].split("Accuracy by number")[0]
    rows = re.findall(r"^  (\S.*?) {2,}([+-]?\d+\.\d\d)$", chart, re.MULTILINE)
    assert len(rows) > 3 and "<caption>The same model as a table of points" in page
    for what, points in rows:
        assert f'<code>{html.escape(what)}</code></th><td class="n">{points}</td>' in page


def test_names_in_pages_are_escaped():
    X = pandas.DataFrame({"<b>&": np.arange(40.0)})
    y = np.where(X["<b>&"] > 19, "<i>", "&c")
    page = RuleClassifier(inner_folds=0).fit(X, y)._repr_html_()
    assert "<b>&" not in page and "<i>" not in page and "&lt;i&gt;" in page


def test_pipelines_searches_and_ensembles(cancer):
    X, y = cancer
    made = make_pipeline(StandardScaler(), RuleClassifier(max_rules=4, inner_folds=0)).fit(X, y)
    assert made.score(X, y) > 0.9
    chosen = make_column_transformer(("passthrough", ["worst radius"]), verbose_feature_names_out=False)
    chosen.set_output(transform="pandas")
    assert "worst radius" in make_pipeline(chosen, RuleClassifier(inner_folds=0)).fit(X, y)[-1].show()
    search = GridSearchCV(RuleClassifier(inner_folds=0), {"max_rules": [1, 5]}, cv=3).fit(X, y)
    assert search.best_params_["max_rules"] in (1, 5)
    shares = cross_val_predict(RuleClassifier(max_rules=4), X, y, cv=3, method="predict_proba")
    assert ((shares[:, 1] > 0.5) == y).mean() > 0.88
    rules = RuleClassifier(max_rules=2, inner_folds=0)
    many = BaggingClassifier(rules, n_estimators=3, random_state=0).fit(X, y)
    assert many.score(X, y) > 0.85


def test_more_than_two_classes():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    for model in (RuleClassifier(), XCSClassifier(iterations=20000), NetworkClassifier()):
        model.fit(X, names)
        assert model.score(X, names) > 0.93
        assert model.decision_function(X).shape == (150, 3)
        assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    with pytest.raises(ValueError, match="the search ranks rows of two classes"):
        NetworkClassifier(metric="auc").fit(X, names)


def test_networks_predict_numbers():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = NetworkRegressor().fit(X, y)
    assert model.score(X, y) > 0.5
    assert model.model_.run["held_out"]["r2"]["value"] > 0.4
    assert "Prediction of" in model.to_formula() and "align*" in model.to_formula(latex=True)


def test_information_about_the_run(cancer):
    events = []
    model = RuleClassifier(progress=events.append).fit(*cancer)
    events = {event["event"] for event in events}
    assert {"started", "stopped"} <= events
    run = model.model_.run
    assert run["held_out"]["accuracy"]["value"] > 0.85 and run["seconds"] >= 0
    assert json.dumps(run)


def test_a_run_resumes_from_its_checkpoint(cancer, tmp_path):
    X, y = cancer
    whole = RuleClassifier(mode="g3p-mi", generations=40, population=100, inner_folds=0).fit(X, y)
    path = tmp_path / "run.checkpoint"
    cut = dict(mode="g3p-mi", generations=40, population=100, inner_folds=0, checkpoint=str(path))
    RuleClassifier(**{**cut, "time_limit": 0.0}).fit(X, y)
    assert path.exists()
    assert RuleClassifier(**cut).fit(X, y).to_json() == whole.to_json()


@pytest.mark.parametrize(
    "kind, chosen",
    [
        (XCSClassifier, {"iterations": 3000}),
        (NetworkClassifier, {"mode": "paper", "generations": 5}),
        (RuleClassifier, {"mode": "g3p-mi", "generations": 5}),
    ],
)
def test_only_calibrated_models_have_probabilities(kind, chosen, cancer, tmp_path):
    X, y = cancer
    model = kind(inner_folds=0, **chosen).fit(X, y)
    assert not model.model_.is_calibrated and not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError) as raised:
        model.predict_proba(X)
    assert "inner_folds=5" in str(raised.value.__cause__)
    model.save(tmp_path / "model.json")
    for other in (model.model_, pellucid.load(tmp_path / "model.json")):
        with pytest.raises(ValueError, match="not calibrated.*inner_folds=5"):
            other.predict_proba(X)
    assert model.decision_function(X).shape == (len(X),)


@pytest.mark.parametrize("kind", [RuleClassifier, XCSClassifier, NetworkClassifier])
def test_defaults_give_calibrated_probabilities(kind, cancer):
    X, y = cancer
    model = kind().fit(X, y)
    shares = model.predict_proba(X)
    assert model.model_.is_calibrated and np.allclose(shares.sum(axis=1), 1.0)
    # About half of the rows with a probability near 0.5 are positive. Raw scores would be far off.
    middle = (shares[:, 1] > 0.3) & (shares[:, 1] < 0.7)
    assert middle.sum() < 20 or 0.15 < y[middle].mean() < 0.85


def test_a_model_of_numbers_has_no_probabilities():
    X = np.arange(60.0).reshape(-1, 1)
    model = pellucid.RuleRegressor(inner_folds=0).fit(X, X[:, 0] * 2).model_
    with pytest.raises(ValueError, match="predicts a number"):
        model.predict_proba(X)


def test_thresholds_and_costs(cancer):
    X, y = cancer
    model = RuleClassifier().fit(X, y).model_
    shares = model.predict_proba(X)[:, 1]
    assert (model.predict(X, threshold=0.9) == "1").tolist() == (shares >= 0.9).tolist()
    careful = (model.predict(X, cost={"0": 20.0}) == "0").sum()
    assert careful > (model.predict(X) == "0").sum()
    with pytest.raises(ValueError, match="threshold"):
        model.predict(X, threshold=1.5)


def test_identical_examples_stay_together(cancer):
    X, y = cancer
    twice = pandas.concat([X.assign(y=y.astype(str))] * 2, ignore_index=True)
    together = pellucid.learn("rules", twice, target="y", groups="identical", max_rules=5)
    apart = pellucid.learn("rules", twice, target="y", max_rules=5)
    assert together.run["held_out"]["accuracy"]["value"] < apart.run["held_out"]["accuracy"]["value"]


def test_alternatives_do_without_the_leading_columns(cancer):
    X, y = cancer
    frame = X.assign(benign=y.astype(str))
    model = pellucid.learn("rules", frame, target="benign", alternatives=2)
    assert [len(other.without) for other in model.alternatives] == [1, 2]
    for other in model.alternatives:
        assert not set(other.without) & set(other.model.columns)
        accuracy = next(figure for figure in other.figures if figure["key"] == "accuracy")
        assert accuracy["difference"]["low"] <= accuracy["difference"]["value"]
        assert len(other.model.predict(frame)) == len(frame)
        assert other.model.out_of_fold is not None and other.model.alternatives == []
    assert "alternatives" not in model.run
    again = pellucid.learn("rules", frame, target="benign")
    assert again.to_json() == model.to_json() and again.alternatives == []
    with pytest.raises(ValueError, match="alternatives: found -1; expected 0 or more"):
        pellucid.learn("rules", frame, target="benign", alternatives=-1)
