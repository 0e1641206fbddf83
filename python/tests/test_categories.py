"""Categories are the same in a data frame, in its file, and in new data with missing values."""

import json
import warnings

import numpy as np
import pandas
import polars
import pytest

import pellucid
from pellucid import NetworkClassifier, RuleClassifier, XCSClassifier

ESTIMATORS = {
    RuleClassifier: {"inner_folds": 0},
    XCSClassifier: {"inner_folds": 0, "iterations": 6000},
    NetworkClassifier: {"inner_folds": 0},
}
# Texts that are otherwise read as missing values or trimmed.
ODD = ["NA", "?", "null", "nan", "", " a", "N/A", "  ", "#N/A"]


def words(odd, rows=300, seed=0):
    """A column in which one unusual text determines the class, and a column of numbers."""
    draw = np.random.default_rng(seed)
    word = draw.choice(np.array([odd, "DE", "FR"], dtype=object), rows)
    frame = pandas.DataFrame({"country": word, "x": draw.normal(size=rows).round(3)})
    return frame, np.where(word == odd, "yes", "no")


def predicted_by_command(command, model, frame, folder, y=None):
    model.save(folder / "model.json")
    (frame if y is None else frame.assign(target=y)).to_csv(folder / "rows.csv", index=False)
    lines = command("predict", folder / "model.json", folder / "rows.csv", "--json", "--quiet").splitlines()
    return [json.loads(line)["predicted"] for line in lines[: len(frame)]]


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("odd", ODD)
def test_a_known_category_stays_a_category_in_a_file(kind, odd, command, tmp_path):
    frame, y = words(odd)
    model = kind(**ESTIMATORS[kind]).fit(frame, y)
    assert (model.predict(frame) == y).all()
    assert predicted_by_command(command, model, frame, tmp_path) == y.tolist()


@pytest.mark.parametrize("odd", ["NA", "null", ""])
def test_a_class_may_look_like_a_missing_value(odd, command, tmp_path):
    frame, y = words("AT")
    y = np.where(y == "yes", odd, "other")
    model = RuleClassifier(inner_folds=0).fit(frame, y)
    assert predicted_by_command(command, model, frame, tmp_path, y) == y.tolist()


def test_values_missing_in_a_data_frame_are_missing_in_its_file(command, tmp_path):
    """NA is a category here, and an empty cell is missing."""
    frame, y = words("NA")
    frame.loc[::7, "country"] = None
    model = RuleClassifier(inner_folds=0).fit(frame, y)
    assert predicted_by_command(command, model, frame, tmp_path) == model.predict(frame).tolist()


def test_texts_that_differ_only_in_blanks(command, tmp_path):
    frame = pandas.DataFrame({"word": [" a", "a", "b", "c"] * 40})
    y = np.where(frame["word"] == " a", "yes", "no")
    RuleClassifier(inner_folds=0).fit(frame, y).save(tmp_path / "model.json")
    frame.to_csv(tmp_path / "quoted.csv", index=False, quoting=1)
    output = command("predict", tmp_path / "model.json", tmp_path / "quoted.csv", "--json", "--quiet")
    lines = output.splitlines()
    assert [json.loads(line)["predicted"] for line in lines[:160]] == y.tolist()


@pytest.fixture(scope="module")
def codes():
    draw = np.random.default_rng(0)
    code = draw.integers(1, 4, 300)
    return code, np.where(code == 2, "ill", "well")


def with_a_missing_value(code):
    """The same codes with a missing value, which pandas converts to floats."""
    return pandas.DataFrame({"k": pandas.Series([*code[:-1], None]).astype("category")})


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_whole_number_categories_stay_the_same_beside_a_missing_value(kind, codes, command, tmp_path):
    code, y = codes
    whole = pandas.DataFrame({"k": pandas.Series(code).astype("category")})
    missing = with_a_missing_value(code)
    assert missing["k"].cat.categories.tolist() == [1.0, 2.0, 3.0]
    floats = pandas.DataFrame({"k": missing["k"].astype(float)})
    for learned in (whole, missing):
        model = kind(**ESTIMATORS[kind]).fit(learned, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for new in (whole, missing, floats):
                assert (model.predict(new)[:-1] == y[:-1]).all()
        new = whole if learned is missing else missing
        assert predicted_by_command(command, model, new, tmp_path)[:-1] == y[:-1].tolist()


def test_booleans_and_boolean_categories_are_the_same():
    values = np.random.default_rng(1).random(200) < 0.5
    y = np.where(values, "yes", "no")
    as_category = pandas.DataFrame({"t": pandas.Series(values).astype("category")})
    model = RuleClassifier(inner_folds=0).fit(as_category, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (model.predict(pandas.DataFrame({"t": values})) == y).all()


@pytest.mark.parametrize("as_frame", [lambda frame: frame, polars.from_pandas])
def test_unseen_categories_give_a_warning(as_frame, codes):
    code, y = codes
    frame = pandas.DataFrame({"colour": np.array(["red", "green", "blue"])[code - 1], "x": code * 1.0})
    model = RuleClassifier(inner_folds=0).fit(as_frame(frame), y)
    new = frame.copy()
    new.loc[[3, 8], "colour"] = ["violet", "pink"]
    with pytest.warns(UserWarning, match="'colour': 2 rows.*'violet' .row 4.*'pink' .row 9") as caught:
        model.predict(as_frame(new))
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match="'colour'"):
        model.model_.predict(as_frame(new))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Numbers outside the range of the training data give no warning.
        model.predict(as_frame(frame.assign(x=99.0)))


@pytest.mark.parametrize(
    "texts", [["1 kg", "2 kg", "10 kg"], ["2024-01-01", "2024-02-01", "2024-03-01"], ["1", "2", "3"]]
)
@pytest.mark.parametrize("as_frame", [lambda frame: frame, polars.from_pandas], ids=["pandas", "polars"])
def test_a_declared_category_stays_a_category(texts, as_frame, codes):
    code, y = codes
    text = np.array(texts)[code - 1]
    declared = as_frame(pandas.DataFrame({"k": pandas.Categorical(text)}))
    model = RuleClassifier(inner_folds=0).fit(declared, y)
    assert model.model_.columns == {"k": "nominal"}
    assert (model.predict(declared) == y).all()
    whole = pandas.DataFrame({"k": pandas.Categorical(text), "y": y})
    assert pellucid.learn("rules", whole, target="y", inner_folds=0).columns == {"k": "nominal"}


def test_categories_with_the_same_text_are_merged():
    frame = pandas.DataFrame({"k": pandas.Categorical([1, "1", 2, "x"] * 50, categories=[1, "1", 2, "x"])})
    y = np.where(frame["k"].astype(str) == "1", "yes", "no")
    model = RuleClassifier(inner_folds=0).fit(frame, y)
    assert (pellucid.Model.from_json(model.to_json()).predict(frame) == y).all()
