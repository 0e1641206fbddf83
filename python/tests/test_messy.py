"""Tables as people have them: rows without a label, marks of missing values, several spellings."""

import warnings

import numpy as np
import pandas
import pytest

import pellucid
from pellucid import RuleClassifier, RuleRegressor


@pytest.fixture(scope="module")
def survey():
    draw = np.random.default_rng(1)
    frame = pandas.DataFrame(
        {
            "age": draw.integers(20, 80, 200),
            "income": draw.normal(30, 5, 200).round(1),
            "job": draw.choice(["full-time", "Full-Time", "part time", "none"], 200),
        }
    )
    frame["ill"] = np.where(frame["age"] > 50, "yes", "no")
    frame.loc[::19, "age"] = 999
    frame.loc[::17, "income"] = -1
    return frame


def test_values_that_are_not_what_they_seem_are_reported(survey):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pellucid.learn("rules", survey, target="ill", inner_folds=0)
    messages = [str(one.message) for one in caught]
    assert all(one.filename == __file__ for one in caught)
    assert any("'age' holds 999 in 11 rows" in message for message in messages), messages
    assert any("'income' holds -1 in 12 rows" in message for message in messages)
    assert any("'Full-Time' and 'full-time'; use one spelling" in message for message in messages)
    description = pellucid.describe(survey, target="ill")
    assert "note: column 'age' holds 999 in 11 rows" in str(description)


def test_rows_without_a_label_are_left_out_and_predicted(survey):
    part = survey.drop(columns="job").assign(age=survey["age"].clip(upper=90), income=30.0)
    part.loc[::4, "ill"] = None
    with pytest.warns(UserWarning, match="skipped 50 rows without a label in target column 'ill'"):
        model = pellucid.learn("rules", part, target="ill", inner_folds=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        labeled = part[part["ill"].notna()]
        assert pellucid.learn("rules", labeled, target="ill", inner_folds=0).to_json() == model.to_json()
        predicted = model.predict(part)
        assert len(predicted) == 200 and set(predicted) == {"no", "yes"}
        assert model.predict(part.drop(columns="ill")).tolist() == predicted.tolist()
        assert model.predict(part.assign(ill=np.nan)).tolist() == predicted.tolist()


@pytest.mark.parametrize("kind", [RuleClassifier, RuleRegressor])
@pytest.mark.parametrize("missing", [np.nan, None])
def test_missing_targets_of_estimators_are_counted(kind, missing):
    X = np.arange(20.0).reshape(-1, 1)
    y = np.array([0.0, 1.0] * 9 + [missing, missing], dtype=object if missing is None else float)
    with pytest.raises(ValueError, match="y contains NaN: 2 of 20 values are missing. Leave these rows out"):
        kind().fit(X, y)
