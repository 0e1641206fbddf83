"""Distributed training gives the same model as a single process. All parts are in one process here."""

import json

import numpy as np
import pandas
import pytest

import pellucid
from pellucid import _native
from pellucid._frames import fill
from pellucid._params import run_options, settings


def learn(parts, target, bag=None, learner="rules", **chosen):
    """Train as `pellucid.ray.learn` does, without Ray."""
    held = []
    for frame in parts:
        table = _native.Table("data")
        fill(table, frame)
        held.append(_native.Part(table, target, bag, 1, "cpu"))
    whole = _native.join_outlines([part.outline(learner == "network") for part in held])

    plans = []

    def ask(kind, question):
        if kind == "plan":
            plans.append(question)
            return []
        return [
            part.answer(whole, kind, question, index, plans[part.plans or 0 :])
            for index, part in enumerate(held)
        ]

    chosen = {"inner_folds": 0, **chosen}
    model, run = _native.fit_parts(whole, ask, settings(learner, chosen), run_options(chosen), learner)
    return without_profile(model), run


def without_profile(model):
    """Return the text of a model without the profile of its training data, which parts do not have."""
    content = json.loads(model.to_json())
    content.pop("training", None)
    return json.dumps(content)


def split(frame, parts, seed=0):
    """Split the rows of a data frame into parts of different sizes."""
    of_row = np.random.default_rng(seed).integers(0, parts, len(frame))
    of_row[:parts] = np.arange(parts)
    return [frame[of_row == part] for part in range(parts)]


@pytest.mark.parametrize("mode", ["g3p-mi", "pareto"])
@pytest.mark.parametrize("parts", [1, 2, 5])
def test_parts_give_the_model_of_the_whole(visits, mode, parts):
    chosen = {"mode": mode, "generations": 8, "population": 60, "random_state": 5}
    alone = pellucid.learn("rules", visits, target="ill", inner_folds=0, **chosen)
    model, run = learn(split(visits, parts), "ill", **chosen)
    assert model == without_profile(alone)
    assert run["train"] == alone.run["train"] and run["evaluated"] == alone.run["evaluated"]


def cut(frame, parts):
    """Split the rows of a data frame into consecutive parts."""
    ends = [len(frame) * part // parts for part in range(parts + 1)]
    return [frame.iloc[start:end] for start, end in zip(ends, ends[1:])]


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_the_default_mode_on_parts(visits, parts):
    chosen = {"max_rules": 6, "random_state": 5, "always_vote": True}
    alone = pellucid.learn("rules", visits, target="ill", inner_folds=0, **chosen)
    model, run = learn(cut(visits, parts), "ill", **chosen)
    assert model == without_profile(alone)
    assert '"calibration"' in model
    assert run["train"] == alone.run["train"]


def test_the_default_mode_on_bags(examples):
    trains = pandas.read_csv(examples / "trains.csv", keep_default_na=False)
    chosen = {"max_rules": 4, "always_vote": True}
    alone = pellucid.learn("rules", trains, target="direction", bags="train", inner_folds=0, **chosen)
    first = trains["train"].isin(trains["train"].unique()[:4])
    assert first.to_numpy().argmin() == first.sum()
    assert learn([trains[first], trains[~first]], "direction", "train", **chosen)[0] == without_profile(alone)


@pytest.mark.parametrize("hypothesis", ["presence", "at-least=2"])
def test_bags_stay_whole(examples, hypothesis):
    trains = pandas.read_csv(examples / "trains.csv", keep_default_na=False)
    chosen = {"mode": "g3p-mi", "generations": 6, "population": 50, "hypothesis": hypothesis}
    alone = pellucid.learn("rules", trains, target="direction", bags="train", inner_folds=0, **chosen)
    cut = trains["train"].isin(trains["train"].unique()[::2])
    model, _ = learn([trains[cut], trains[~cut]], "direction", "train", **chosen)
    assert model == without_profile(alone)


def test_a_part_may_lack_classes_and_values(visits):
    parts = [visits[visits["ill"] == "yes"], visits[visits["ill"] == "no"]]
    chosen = {"mode": "g3p-mi", "generations": 4, "population": 50}
    alone = pellucid.learn("rules", visits, target="ill", inner_folds=0, **chosen)
    assert learn(parts, "ill", **chosen)[0] == without_profile(alone)


def test_unsupported_settings_are_errors(visits):
    with pytest.raises(ValueError, match="mode list does not support distributed rows"):
        learn(split(visits, 2), "ill", mode="list")
    with pytest.raises(ValueError, match="always.vote"):
        learn(split(visits, 2), "ill")
    with pytest.raises(ValueError, match="class.weight"):
        learn(split(visits, 2), "ill", always_vote=True, class_weight="balanced")
    with pytest.raises(ValueError, match="columns"):
        learn([visits, visits.drop(columns="count")], "ill", mode="g3p-mi")
    with pytest.raises(ValueError, match="different types"):
        learn([visits, visits.assign(count="many")], "ill", mode="g3p-mi")
    with pytest.raises(ValueError, match="only one row"):
        learn([visits, visits.head(1).assign(ill="perhaps")], "ill", mode="g3p-mi")


NETWORK = {"mode": "paper", "generations": 15, "population": 10, "random_state": 5}


@pytest.mark.parametrize("parts", [1, 2, 5])
def test_a_network_is_trained_on_parts(visits, parts):
    alone = pellucid.learn("network", visits, target="ill", inner_folds=0, **NETWORK)
    model, run = learn(cut(visits, parts), "ill", learner="network", **NETWORK)
    assert model == without_profile(alone)
    assert run["train"] == alone.run["train"] and run["evaluated"] == alone.run["evaluated"]


def test_a_part_of_a_network_may_lack_classes_and_values(visits):
    visits = visits.sort_values("ill", kind="stable")
    first = (visits["ill"] == "no").sum()
    alone = pellucid.learn("network", visits, target="ill", inner_folds=0, **NETWORK)
    parts = [visits.iloc[:first], visits.iloc[first:]]
    assert learn(parts, "ill", learner="network", **NETWORK)[0] == without_profile(alone)


def test_unsupported_network_settings_are_errors(visits):
    for chosen, message in [({}, "mode"), ({"mode": "paper", "metric": "auc"}, "metric")]:
        with pytest.raises(ValueError, match=message):
            learn(cut(visits, 2), "ill", learner="network", **chosen)


def test_a_failing_part_is_an_error(visits):
    table = _native.Table("data")
    fill(table, visits)
    whole = _native.join_outlines([_native.Part(table, "ill").outline()])

    def ask(kind, question):
        raise RuntimeError("the cable is out")

    with pytest.raises(ValueError, match="the cable is out"):
        _native.fit_parts(whole, ask, {"mode": "g3p-mi"}, run_options({"inner_folds": 0}))


def test_a_run_resumes_from_its_checkpoint_with_other_parts(visits, tmp_path):
    chosen = {"mode": "g3p-mi", "generations": 12, "population": 60}
    path = tmp_path / "run.checkpoint"
    learn(split(visits, 2), "ill", checkpoint=str(path), time_limit=0.0, **chosen)
    assert path.exists()
    model, _ = learn(split(visits, 3), "ill", checkpoint=str(path), **chosen)
    assert model == learn(split(visits, 1), "ill", **chosen)[0]
