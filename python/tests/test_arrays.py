"""Unusual arrays: nonstandard booleans, masks, large integers, and arrays that change during ``fit``."""

import threading
import warnings

import numpy as np
import pandas
import polars
import pytest

import pellucid
from pellucid import Engine, NetworkClassifier, RuleClassifier, XCSClassifier
from pellucid.concepts import Context


@pytest.fixture(scope="module")
def numbers():
    draw = np.random.default_rng(3)
    X = draw.normal(size=(300, 4)).round(2)
    return X, (X[:, 0] + X[:, 2] > 0.2).astype(int)


@pytest.mark.parametrize("byte", [1, 2, 3, 128, 255])
@pytest.mark.parametrize(
    "kind, chosen",
    [(RuleClassifier, {"max_rules": 3}), (XCSClassifier, {"iterations": 2000}), (NetworkClassifier, {})],
)
def test_every_byte_except_zero_is_true(byte, kind, chosen):
    draw = np.random.default_rng(0)
    y = draw.integers(0, 2, 200)
    other = draw.integers(0, 2, 200).astype("u1")
    odd = np.stack([(y * byte).astype("u1"), other], axis=1).view(bool)
    plain = np.stack([y, other], axis=1) > 0
    fitted = kind(inner_folds=0, **chosen).fit(plain, y)
    assert kind(inner_folds=0, **chosen).fit(odd, y).to_json() == fitted.to_json()
    assert np.array_equal(fitted.predict(odd), fitted.predict(plain))
    frame = pandas.DataFrame({"x1": odd[:, 0], "x2": odd[:, 1]})
    assert np.array_equal(fitted.model_.predict(frame), fitted.model_.predict(plain))


def test_every_byte_except_zero_is_a_cross():
    odd = np.array([[0, 2, 255], [1, 0, 0]], dtype="u1").view(bool)
    context = Context.from_crosses(odd)
    assert context.count() == Context.from_crosses([[0, 1, 1], [1, 0, 0]]).count()


def test_an_array_may_change_while_a_model_is_fitted(numbers):
    X, y = numbers
    chosen = {"mode": "g3p-mi", "generations": 30, "population": 100, "inner_folds": 0}
    expected = RuleClassifier(**chosen).fit(X, y).to_json()
    changing, events = np.asfortranarray(X), []

    def progress(event):
        events.append(event)
        changing[:] = np.nan

    assert RuleClassifier(progress=progress, **chosen).fit(changing, y).to_json() == expected
    assert events and np.isnan(changing).all()


def test_an_array_may_change_in_another_thread(numbers):
    X, y = numbers
    changing, ended = np.asfortranarray(X), threading.Event()

    def change():
        draw = np.random.default_rng(0)
        while not ended.is_set():
            changing[:] = draw.normal(size=changing.shape) * 1e300

    thread = threading.Thread(target=change)
    thread.start()
    try:
        # Which values are read is random. Fitting must succeed anyway.
        for _ in range(5):
            RuleClassifier(inner_folds=0, max_rules=3).fit(changing, y)
    finally:
        ended.set()
        thread.join()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int16, np.uint8])
def test_masked_values_are_missing(numbers, dtype):
    X, y = numbers
    X = (X * 10 + 60).clip(0, 200).round().astype(dtype)
    mask = np.random.default_rng(1).random(X.shape) < 0.2
    missing = np.where(mask, np.nan, X.astype(float))
    masked = np.ma.MaskedArray(X, mask)
    model = RuleClassifier(inner_folds=0).fit(missing, y)
    assert RuleClassifier(inner_folds=0).fit(masked, y).to_json() == model.to_json()
    assert np.array_equal(model.predict(masked), model.predict(missing))
    assert np.array_equal(model.model_.predict(masked), model.model_.predict(missing))
    expressions = ["x1 > 60", "x2 < 50 or x3 > 70"]
    assert np.array_equal(Engine(masked, y).evaluate(expressions), Engine(missing, y).evaluate(expressions))
    bags = [masked[:100], masked[100:]]
    rows, _ = pellucid._frames.join_bags(bags)
    assert np.array_equal(rows, missing, equal_nan=True)


def test_masked_booleans_and_text_are_missing(numbers):
    _, y = numbers
    mask = np.random.default_rng(2).random((300, 2)) < 0.3
    for values in (np.stack([y > 0, y < 0], 1), np.stack([np.array(["a", "b"])[y]] * 2, 1)):
        as_objects = values.astype(object)
        as_objects[mask] = None
        masked = np.ma.MaskedArray(values, mask)
        model = RuleClassifier(inner_folds=0).fit(as_objects, y)
        assert RuleClassifier(inner_folds=0).fit(masked, y).to_json() == model.to_json()
    with pytest.raises(ValueError, match="y contains masked"):
        RuleClassifier().fit(values, np.ma.MaskedArray(y, mask[:, 0]))


LONG = 2**53 + 1


@pytest.mark.parametrize(
    "column",
    [
        np.array([LONG, LONG + 1, 5] * 50),
        np.array([LONG, 2**64 - 1, 5] * 50, dtype=np.uint64),
        np.array([-LONG, 7, 5] * 50),
        np.array([LONG, None, 5] * 50, dtype=object),
        np.array([2**70 + 1, 3, 5] * 50, dtype=object),
        pandas.Series([LONG, None, 5] * 50, dtype="Int64"),
    ],
    ids=["i8", "u8", "negative", "object", "huge", "Int64"],
)
def test_integers_that_a_float_cannot_represent_give_a_warning(column):
    y = ["a", "b", "a"] * 50
    frame = pandas.DataFrame({"key": column, "x": np.arange(150) % 7})
    shown = str(next(value for value in frame["key"].tolist() if value is not None and abs(value) > 2**53))
    with pytest.warns(UserWarning, match=f"'key' has whole numbers.*{shown}"):
        RuleClassifier(inner_folds=0).fit(frame, y)
    if column.dtype != object:
        with pytest.warns(UserWarning, match=f"'key' has whole numbers.*{shown}"):
            RuleClassifier(inner_folds=0).fit(polars.from_pandas(frame), y)


def test_integers_that_a_float_can_represent_give_no_warning():
    key = np.array([2**53, -(2**53), 2**60, 5] * 30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RuleClassifier(inner_folds=0).fit(pandas.DataFrame({"key": key}), ["a", "b"] * 60)
        RuleClassifier(inner_folds=0).fit(key.reshape(-1, 1), ["a", "b"] * 60)
    with pytest.warns(UserWarning, match="'x1' has whole numbers"):
        RuleClassifier(inner_folds=0).fit(key.reshape(-1, 1) + 1, ["a", "b"] * 60)


def test_numbers_that_are_not_aligned(numbers):
    X, y = numbers
    packed = np.zeros(300, dtype=np.dtype([("odd", "u1"), ("x", "f8")]))
    packed["x"] = X[:, 0]
    assert not packed["x"].flags.aligned
    aligned = RuleClassifier(inner_folds=0).fit(X[:, :1], y)
    assert RuleClassifier(inner_folds=0).fit(packed["x"].reshape(-1, 1), y).to_json() == aligned.to_json()
