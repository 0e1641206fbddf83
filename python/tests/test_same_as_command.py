"""The same data, seed and parameters give the same model file as the command line, byte for byte."""

import json
import re

import numpy as np
import pandas
import pytest

import pellucid
from pellucid import NetworkClassifier, RuleClassifier, RuleRegressor, XCSClassifier

LEARNERS = {"rules": RuleClassifier, "xcs": XCSClassifier, "network": NetworkClassifier}
# Small and fast settings, each with a value that is not the default.
CHOSEN = {
    "rules": {"max_rules": 8},
    "xcs": {"iterations": 4000, "population": 200},
    "network": {},
}


FLAGS = {"max_rules": "--most-rules"}


def typed(chosen):
    flags = [(FLAGS.get(name, f"--{name.replace('_', '-')}"), str(value)) for name, value in chosen.items()]
    return [word for flag in flags for word in flag]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_data_frame_and_its_file_give_the_same_model(learner, form, visits, command, tmp_path):
    frame = visits if form == "parquet" else visits[["value", "count", "colour", "ill"]]
    path, out = tmp_path / f"visits.{form}", tmp_path / "model.json"
    if form == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False)
    flags = typed(CHOSEN[learner])
    command("learn", learner, path, "--target", "ill", "--seed", 3, "--out", out, "--quiet", *flags)
    written = out.read_text()

    model = pellucid.learn(learner, frame, target="ill", random_state=3, **CHOSEN[learner])
    assert model.to_json() == written
    estimator = LEARNERS[learner](random_state=3, n_jobs=1, **CHOSEN[learner])
    estimator.fit(frame.drop(columns="ill"), frame["ill"])
    assert estimator.to_json() == written

    output = command("predict", out, path, "--json", "--quiet").splitlines()[: len(frame)]
    predicted = [json.loads(line)["predicted"] for line in output]
    assert estimator.predict(frame.drop(columns="ill")).tolist() == predicted
    shares = [json.loads(line)["probability"]["yes"] for line in output]
    assert estimator.predict_proba(frame.drop(columns="ill"))[:, 1].tolist() == shares


def test_bags(examples, command, tmp_path):
    path, out = examples / "trains.csv", tmp_path / "trains.json"
    command("learn", "rules", path, "--bag", "train", "--target", "direction", "--out", out, "--quiet")
    trains = pandas.read_csv(path, keep_default_na=False)
    X, y, bags = trains.drop(columns=["train", "direction"]), trains["direction"], trains["train"]
    estimator = RuleClassifier().fit(X, y, bags=bags)
    assert estimator.to_json() == out.read_text()
    assert pellucid.learn("rules", trains, target="direction", bags="train").to_json() == out.read_text()
    here = estimator.explain(X, 1, bags=bags)
    explained = command("predict", out, path, "--row", 5)
    # The command counts rows from 1, as editors do. Python counts from 0.
    from_one = re.sub(r"(?m)^( +row )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}", here.text)
    assert explained.startswith(from_one)


def test_weights(visits, command, tmp_path):
    frame = visits[["value", "count", "ill"]].assign(weight=np.where(visits["count"] > 4, 3.0, 0.5))
    path, out = tmp_path / "visits.csv", tmp_path / "model.json"
    frame.to_csv(path, index=False)
    command("learn", "rules", path, "--target", "ill", "--weight", "weight", "--out", out, "--quiet")
    estimator = RuleClassifier().fit(frame[["value", "count"]], frame["ill"], sample_weight=frame["weight"])
    assert estimator.to_json() == out.read_text()


def test_models_are_exchanged_with_the_command(visits, command, tmp_path):
    frame = visits[["value", "colour", "ill"]]
    frame.to_csv(tmp_path / "visits.csv", index=False)
    estimator = RuleClassifier(max_rules=5).fit(frame[["value", "colour"]], frame["ill"])
    estimator.save(tmp_path / "model.json")
    assert command("show", tmp_path / "model.json").strip() == estimator.show().strip()
    opened = pellucid.load(tmp_path / "model.json")
    assert opened.predict(frame).tolist() == estimator.predict(frame[["value", "colour"]]).tolist()


def test_the_command_reports_errors(command, tmp_path):
    command("show", tmp_path / "missing.json", code=2)
    assert command("--version").startswith("pellucid")


def test_describe(visits, command, tmp_path):
    frame = visits[["value", "count", "colour", "ill"]]
    frame.to_csv(tmp_path / "visits.csv", index=False)
    output = json.loads(command("describe", tmp_path / "visits.csv", "--target", "ill", "--json"))
    here = pellucid.describe(frame, target="ill", name="visits").data
    assert here["columns"] == output["columns"]


def test_numbers(examples, command, tmp_path):
    path, out = examples / "flats.csv", tmp_path / "flats.json"
    flats = pandas.read_csv(path)
    target = flats.columns[-1]
    flags = ("--target", target, "--task", "number", "--most-rules", 6)
    command("learn", "rules", path, *flags, "--out", out, "--quiet")
    estimator = RuleRegressor(max_rules=6).fit(flats.drop(columns=target), flats[target])
    assert estimator.to_json() == out.read_text()
    output = command("predict", out, path, "--json", "--quiet").splitlines()[: len(flats)]
    predicted = [json.loads(line)["predicted"] for line in output]
    assert estimator.predict(flats.drop(columns=target)).tolist() == predicted
    assert estimator.score(flats.drop(columns=target), flats[target]) > 0.5
    assert "number" in estimator._repr_html_()
