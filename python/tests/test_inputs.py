"""Input data of all types, and the errors that scikit-learn users expect."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import pellucid
from pellucid import RuleClassifier, XCSClassifier

FEATURES = ["value", "count", "colour", "smoker", "seen"]


def fitted(X, y, **chosen):
    return RuleClassifier(max_rules=6, inner_folds=0, **chosen).fit(X, y)


@pytest.fixture(scope="module")
def numbers():
    draw = np.random.default_rng(3)
    X = draw.normal(size=(200, 4))
    y = (X[:, 0] + 0.5 * X[:, 2] > 0.3).astype(int)
    return X, y


def test_all_types_of_data_frames_give_the_same_model(visits):
    X, y = visits[FEATURES], visits["ill"]
    model = fitted(X, y).to_json()
    assert fitted(polars.from_pandas(X), y).to_json() == model
    assert fitted(pyarrow.Table.from_pandas(X, preserve_index=False), y).to_json() == model
    arrow = X.astype({"value": "float64[pyarrow]", "count": "int32[pyarrow]", "colour": "string[pyarrow]"})
    assert fitted(arrow, y).to_json() == model
    objects = X.astype({"value": object, "count": object, "smoker": object})
    assert fitted(objects, y).to_json() == model
    categories = X.astype({"colour": pandas.CategoricalDtype(["blue", "never", "red", "green"])})
    assert fitted(categories, y).to_json() == model
    nullable = X.astype({"value": "Float64", "count": "Int64", "smoker": "boolean"})
    assert fitted(nullable, y).to_json() == model


@pytest.mark.parametrize(
    "dtype", ["f2", "f4", "f8", ">f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "O"]
)
def test_every_number_type(numbers, dtype):
    X, y = numbers
    X = np.round(4 * X + 20)
    assert fitted(X.astype(dtype), y).to_json() == fitted(X, y).to_json()


def test_every_layout_in_memory(numbers, tmp_path):
    X, y = numbers
    model = fitted(X, y).to_json()
    assert fitted(np.asfortranarray(X), y).to_json() == model
    wide = np.zeros((400, 8))
    wide[::2, ::2] = X
    assert fitted(wide[::2, ::2], y).to_json() == model
    locked = X.copy()
    locked.flags.writeable = False
    assert fitted(locked, y).to_json() == model
    mapped = np.memmap(tmp_path / "X", dtype=X.dtype, mode="w+", shape=X.shape)
    mapped[:] = X
    mapped.flush()
    assert fitted(np.memmap(tmp_path / "X", dtype=X.dtype, mode="r", shape=X.shape), y).to_json() == model
    assert fitted(X.tolist(), y.tolist()).to_json() == model
    flipped = X[::-1]
    assert np.array_equal(fitted(X, y).predict(flipped)[::-1], fitted(X, y).predict(X))


def test_input_is_not_modified(visits):
    X = visits[FEATURES]
    before = X.copy(deep=True)
    fitted(X, visits["ill"]).predict(X)
    pandas.testing.assert_frame_equal(X, before)


def test_missing_values_may_stay_missing(visits):
    X, y = visits[FEATURES], visits["ill"]
    model = fitted(X, y)
    nothing = X.assign(value=np.nan, count=np.nan, colour=None, smoker=None, seen=pandas.NaT)
    assert set(model.predict(nothing)) <= {"yes", "no"}


def test_infinity_is_an_error(numbers, visits):
    X, y = numbers
    bad = X.copy()
    bad[3, 1] = np.inf
    for table in (bad, pandas.DataFrame(bad), polars.DataFrame(bad), pyarrow.table({"a": bad[:, 1]})):
        with pytest.raises(ValueError, match="infinity"):
            fitted(table, y)
    with pytest.raises(ValueError, match="infinity"):
        fitted(X, y).predict(bad)


def test_one_class_one_row_and_no_data_are_errors(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="only one class"):
        fitted(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="1 sample"):
        fitted(X[:1], y[:1])
    with pytest.raises(ValueError, match="1 sample"):
        fitted(pandas.DataFrame(X[:1]), y[:1])
    with pytest.raises(ValueError, match="0 sample|0 feature"):
        fitted(np.zeros((0, 3)), [])
    with pytest.raises(ValueError, match="requires y"):
        RuleClassifier().fit(X, None)
    with pytest.raises(ValueError, match="inconsistent"):
        fitted(X, y[:-1])


def test_unseen_categories(visits):
    X, y = visits[FEATURES], visits["ill"]
    model = fitted(X, y)
    other = X.assign(colour="violet")
    as_category = other.astype({"colour": "category"})
    with pytest.warns(UserWarning, match="'colour': 240 rows have a value .* training data: 'violet'"):
        assert set(model.predict(other)) <= {"yes", "no"}
        assert model.predict(other).tolist() == model.predict(as_category).tolist()


def test_columns_are_matched_by_name(visits):
    X, y = visits[FEATURES], visits["ill"]
    model = fitted(X, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X[FEATURES[::-1]])
    assert model.model_.predict(X[FEATURES[::-1]]).tolist() == model.predict(X).tolist()
    with pytest.raises(ValueError, match="feature"):
        model.predict(X[FEATURES[:-1]])


@pytest.mark.parametrize(
    "labels",
    [["b", "a"], [10, 9], [True, False], [1.0, -2.0], ["10", "9"], np.array(["x", "y"], dtype=object)],
)
def test_labels_of_every_type(numbers, labels):
    X, codes = numbers
    y = np.array(labels)[codes]
    model = fitted(X, y)
    assert model.classes_.tolist() == np.unique(y).tolist()
    predicted = model.predict(X)
    assert predicted.dtype == y.dtype and (predicted == y).mean() > 0.9
    assert (model.classes_[model.predict_proba(X).argmax(axis=1)] == predicted).mean() > 0.95
    assert ((model.decision_function(X) > 0) == (predicted == model.classes_[1])).all()


def test_a_class_with_a_single_example_is_left_out_with_a_warning(numbers):
    X, y = numbers
    odd = y.copy()
    odd[0] = 7
    with pytest.warns(UserWarning, match="single example: class '7'"):
        model = fitted(X, odd)
    assert model.classes_.tolist() == [0, 1, 7] and 7 not in model.predict(X)
    assert (model.predict_proba(X)[:, 2] == 0).all() and model.decision_function(X).shape == (200, 3)


def test_class_weights(numbers):
    X, y = numbers
    rare = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:15]]
    found = [
        (fitted(X[rare], y[rare], class_weight=weight).predict(X[rare]) == 1).sum()
        for weight in ({1: 0.05}, None, {1: 50})
    ]
    assert found[0] < found[2] and found == sorted(found)
    weighed = fitted(X[rare], y[rare], class_weight="balanced")
    assert weighed.model_.parameters["class_weight"] == "balanced"
    with pytest.raises(ValueError, match="class_weight"):
        fitted(X, y, class_weight={7: 2.0})


def test_errors_name_the_parameter(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="max_rules"):
        RuleClassifier(max_rules=0).fit(X, y)
    with pytest.raises(ValueError, match="mode"):
        RuleClassifier(mode="defalt").fit(X, y)
    with pytest.raises(TypeError, match="unexpected keyword.* 'max_rulez'; did you mean 'max_rules'"):
        RuleClassifier(max_rulez=3)
    with pytest.raises(TypeError, match="'seed'; did you mean 'random_state'"):
        RuleClassifier(seed=3)
    frame = pandas.DataFrame(X).assign(y=y)
    frame.columns = frame.columns.astype(str)
    with pytest.raises(ValueError, match="rules has no parameter 'max_rulez'; did you mean 'max_rules'"):
        pellucid.learn("rules", frame, target="y", max_rulez=3)
    with pytest.raises(ValueError, match="'n_job'; did you mean 'n_jobs'"):
        pellucid.learn("rules", frame, target="y", n_job=3)
    with pytest.raises(ValueError, match="no device|device"):
        RuleClassifier(device="cuda:77").fit(X, y)
    with pytest.raises(ValueError, match="n_jobs"):
        RuleClassifier(n_jobs=0).fit(X, y)
    with pytest.raises(ValueError, match="bags"):
        XCSClassifier().fit([X[:2], X[2:]], [0, 1])


def test_a_seed_is_a_random_state(numbers):
    X, y = numbers
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"]).assign(y=y)
    chosen = {"target": "y", "mode": "g3p-mi", "generations": 5, "population": 50, "inner_folds": 0}
    models = {seed: pellucid.learn("rules", frame, seed=seed, **chosen).to_json() for seed in (7, 8)}
    assert models[7] != models[8]
    assert models[7] == pellucid.learn("rules", frame, random_state=7, **chosen).to_json()
    assert models[7] == pellucid.learn("rules", frame, random_state=7, seed=7, **chosen).to_json()
    with pytest.raises(ValueError, match="seed and random_state are two names"):
        pellucid.learn("rules", frame, random_state=7, seed=8, **chosen)


def test_neither_threads_nor_the_device_change_the_model(numbers):
    X, y = numbers
    models = {
        RuleClassifier(n_jobs=jobs, device=device).fit(X, y).to_json()
        for jobs in (1, 2, -1)
        for device in ("cpu", "all")
    }
    assert len(models) == 1


def test_columns_without_names_are_matched_by_position(numbers):
    X, y = numbers
    frame = pandas.DataFrame(X, columns=["a", "b", "c", "d"])
    for trained, new in ((frame, X), (X, frame)):
        model = fitted(trained, y)
        with pytest.warns(UserWarning, match="feature names"):
            assert model.predict(new).tolist() == model.predict(trained).tolist()
    numbered = pandas.DataFrame(X)
    assert fitted(numbered, y).predict(numbered).tolist() == fitted(frame, y).predict(frame).tolist()
