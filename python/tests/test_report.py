"""Reports of models: the pages, their figures, and how notebooks show them."""

import json
import pickle
import re
from html import unescape

import numpy as np
import pandas as pd
import pellucid
import pytest
from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier


def table(rows=120):
    stream = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"age": stream.integers(20, 80, rows), "color": stream.choice(["red", "blue", "green"], rows)}
    )
    frame["outcome"] = np.where((frame.age > 50) | (frame.color == "red"), "yes", "no")
    return frame


FRAME = table()
X, Y = FRAME[["age", "color"]], FRAME["outcome"]


def content(report):
    """Return the content of a page, after checks that apply to every page."""
    assert report.html.startswith("<!doctype html>") and "Content-Security-Policy" in report.html
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', report.html, re.S)
    return json.loads(found[1])


@pytest.mark.parametrize(
    "estimator",
    [RuleClassifier(), XCSClassifier(iterations=2000), NetworkClassifier()],
    ids=lambda it: type(it).__name__,
)
def test_every_classifier_has_a_report(estimator):
    estimator.fit(X, Y)
    held_out = content(estimator.report())["evaluation"]
    assert held_out["source"] == {"kind": "folds", "folds": 5, "repeats": 1}
    assert held_out["evaluated"] == len(X)
    page = content(estimator.report(X, Y))
    assert page["evaluation"]["source"] == {"kind": "data", "name": "data", "training": True}
    accuracy = next(figure for figure in page["evaluation"]["figures"] if figure["key"] == "accuracy")
    assert accuracy["value"][0] == pytest.approx(estimator.score(X, Y))
    assert [column["name"] for column in page["data"]["columns"]] == ["age", "color"]


def test_figures_by_group():
    model = RuleClassifier().fit(X, Y)
    groups = content(model.report(X, Y, by="color"))["groups"]
    assert groups["column"] == "color" and sum(one["examples"] for one in groups["groups"]) == len(X)
    for group in groups["groups"]:
        own = X.color == group["name"]
        assert group["accuracy"][0] == pytest.approx(model.score(X[own], Y[own]))
    ages = content(model.report(X, Y, by="age"))["groups"]["groups"]
    assert len(ages) == 4 and sum(one["examples"] for one in ages) == len(X)
    assert ages[0]["name"].startswith("up to") and ages[3]["name"].startswith("above")
    with pytest.raises(ValueError, match="by: the data has no column 'sex'"):
        model.report(X, Y, by="sex")


def test_effects_and_coverage():
    model = RuleClassifier().fit(X, Y)
    page = content(model.report(X, Y))
    effect = next(one for one in page["effects"]["columns"] if one["column"] == "age")
    value, means = effect["points"][0]
    assert page["effects"]["rows"] == len(X)
    assert means[0] == pytest.approx(model.predict_proba(X.assign(age=value))[:, 1].mean())
    masks = [rule.mask(X) for rule in model.rules_]
    assert [sum(counts) for counts in page["coverage"]["covered"]] == [mask.sum() for mask in masks]
    for one, row in enumerate(page["coverage"]["both"]):
        for other in range(one, len(row)):
            assert row[other] == (masks[one] & masks[other]).sum()


def test_without_labels_there_are_no_figures():
    page = content(RuleClassifier().fit(X, Y).report(X.iloc[:20]))
    assert "evaluation" not in page and page["data"]["rows"] == 20


def test_numbers_have_a_report():
    model = RuleRegressor().fit(X, 2.0 * X["age"])
    figures = content(model.report())["evaluation"]["figures"]
    assert [figure["key"] for figure in figures] == ["r2", "mae", "rmse"]
    page = content(model.report(X, 2.0 * X["age"]))
    r2 = next(figure for figure in page["evaluation"]["figures"] if figure["key"] == "r2")
    assert r2["value"][0] == pytest.approx(model.score(X, 2.0 * X["age"]))


def test_labels_that_are_numbers_and_bags():
    bags = np.repeat(np.arange(40), 3)
    label = np.array([int((FRAME.age[bags == bag] > 70).any()) for bag in range(40)])
    model = RuleClassifier().fit(X, label, bags=bags)
    page = content(model.report(X, label, bags=bags))
    assert page["evaluation"]["evaluated"] == 40 and page["task"]["bag"] == "bag"
    assert page["task"]["classes"] == ["0", "1"]


def test_the_report_of_a_model(tmp_path):
    model = pellucid.learn("rules", FRAME, target="outcome")
    assert content(model.report())["evaluation"]["source"]["kind"] == "folds"
    path = tmp_path / "report.html"
    report = model.report(FRAME, path=path, fixed=["age"])
    assert path.read_text(encoding="utf-8") == report.html
    page = content(report)
    assert page["fixed"] == ["age"] and page["evaluation"]["evaluated"] == len(FRAME)
    with_labels = content(model.report(X, Y))
    assert with_labels["evaluation"]["figures"] == page["evaluation"]["figures"]


def test_another_number_of_rules():
    noisy = FRAME.assign(height=np.arange(120) * 37 % 61, outcome=np.roll(Y, 1))
    noisy.loc[::2, "outcome"] = Y[::2]
    model = pellucid.learn("rules", noisy, target="outcome", mode="default")
    rules = content(model.report(rules=1))["model"]["rules"]
    assert len(rules["sizes"]) > 1
    assert len(rules["sizes"][rules["selected"]]["rules"]) == len(model.with_rules(1).rules)


def test_a_model_from_a_file_or_a_pickle_has_no_held_out_figures(tmp_path):
    model = pellucid.learn("rules", FRAME, target="outcome")
    model.save(tmp_path / "model.json")
    assert "evaluation" not in content(pellucid.load(tmp_path / "model.json").report())
    assert "evaluation" not in content(pickle.loads(pickle.dumps(model)).report())


def test_wrong_arguments():
    model = pellucid.learn("rules", FRAME, target="outcome")
    with pytest.raises(ValueError, match="fixed: the model has no column 'agge'"):
        model.report(fixed=["agge"])
    with pytest.raises(ValueError, match="X has the target column 'outcome'; use either that column or y"):
        model.report(FRAME, Y)
    with pytest.raises(ValueError, match="y: found 3 values; expected 120, one per row"):
        model.report(X, Y[:3])
    with pytest.raises(ValueError, match="lacks column 'color'"):
        model.report(X[["age"]])


def test_a_notebook_shows_the_page_in_a_sandbox():
    report = RuleClassifier().fit(X, Y).report()
    shown = report._repr_html_()
    assert shown.startswith("<iframe") and 'sandbox="allow-scripts allow-downloads allow-modals"' in shown
    assert unescape(re.search(r'srcdoc="([^"]*)"', shown)[1]) == report.html
    assert repr(report).startswith("<Report on 'outcome': ")


def test_class_expressions_have_a_report(examples):
    problem = json.loads((examples / "uncle.json").read_text())
    problem = next(iter(problem["problems"].values())) if "problems" in problem else problem
    positive, negative = problem["positive_examples"], problem["negative_examples"]
    base = pellucid.logic.KnowledgeBase(examples / "family.ttl")
    model = base.learn(positive, negative, name="uncle")
    assert content(model.report())["model"]["kind"] == "expressions"
    page = content(model.report(base, (positive, negative)))
    assert page["evaluation"]["evaluated"] == len(positive) + len(negative)
