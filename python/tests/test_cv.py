"""``pellucid.cv`` gives the figures of ``pellucid cv``."""

import json

import pandas
import pytest

import pellucid

# Times differ between runs, and the command writes no list of folds.
OWN = ("seconds", "scores", "folds", "warnings", "left_out")


def without_times(data):
    kept = {name: value for name, value in data.items() if name not in OWN}
    return {name: value for name, value in kept.items() if name != "notes"}


@pytest.mark.parametrize("learner", ["rules", "network"])
def test_the_figures_are_those_of_the_command(learner, visits, command, tmp_path):
    frame = visits[["value", "count", "colour", "ill"]]
    frame.to_csv(tmp_path / "visits.csv", index=False)
    flags = ("--target", "ill", "--folds", 3, "--repeats", 2, "--seed", 4, "--json", "--quiet")
    written = json.loads(command("cv", learner, tmp_path / "visits.csv", *flags).splitlines()[-1])
    found = pellucid.cv(learner, frame, target="ill", folds=3, repeats=2, seed=4, n_jobs=2)
    assert without_times(found.data) == without_times(written)
    assert len(found.folds) == 6 and list(found.folds.to_frame()["repeat"]) == [0, 0, 0, 1, 1, 1]
    means = found.figures.to_frame().set_index("metric")["mean"]
    assert means["accuracy"] == pytest.approx(found.folds.to_frame()["accuracy"].mean())
    assert "480 held-out predictions" in repr(found)


def test_bags_and_numbers(examples):
    trains = pandas.read_csv(examples / "trains.csv", keep_default_na=False)
    found = pellucid.cv("rules", trains, target="direction", bags="train", folds=5)
    assert found.data["summary"]["units"] == 10
    flats = pandas.read_csv(examples / "flats.csv")
    numbers = pellucid.cv("rules", flats, target=flats.columns[-1], task="number", folds=2, max_rules=3)
    assert numbers.data["r2"]["mean"] > 0 and "R²" in str(numbers)


def test_progress_counts_the_folds(visits):
    steps = []
    frame = visits[["value", "ill"]]
    pellucid.cv("rules", frame, target="ill", folds=3, progress=lambda event: steps.append(event))
    assert [event["step"] for event in steps if event["event"] == "folds"] == [1, 2, 3]


def test_columns_that_name_rows_are_reported(visits):
    frame = visits[["value", "ill"]].assign(name=[f"n{row}" for row in range(len(visits))])
    with pytest.warns(UserWarning, match="'name' was left out"):
        pellucid.cv("rules", frame, target="ill", folds=2, inner_folds=0)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"checkpoint": "x"}, "cross_val_score"),
        ({"folds": 1}, "fold"),
        ({"max_rule": 3}, "did you mean 'max_rules'"),
    ],
)
def test_wrong_arguments_are_refused(wrong, message, visits):
    with pytest.raises(ValueError, match=message):
        pellucid.cv("rules", visits[["value", "ill"]], target="ill", **wrong)


def test_names_of_an_earlier_version_are_refused(visits):
    with pytest.raises(TypeError, match=r"cv\(\) got an unexpected keyword argument 'bag'.*'bags'"):
        pellucid.cv("rules", visits, target="ill", bag="colour")
