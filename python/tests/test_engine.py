"""The engine, compared with NumPy."""

import numpy as np
import pandas
import pytest

from pellucid import Engine


def test_counts_are_those_of_numpy():
    draw = np.random.default_rng(5)
    frame = pandas.DataFrame({"a": draw.integers(0, 50, 5000), "b": draw.normal(size=5000).round(3)})
    frame.loc[::11, "b"] = np.nan
    y = draw.choice(["x", "y", "z"], 5000)
    engine = Engine(frame, y)
    cuts = [(int(draw.integers(0, 50)), round(float(draw.normal()), 2)) for _ in range(300)]
    counts = engine.evaluate([f"a > {a} and b <= {b}" for a, b in cuts])
    assert engine.classes == ["x", "y", "z"] and counts.dtype == np.uint64
    for (a, b), found in zip(cuts, counts):
        holds = (frame["a"] > a) & (frame["b"] <= b)
        assert found.tolist() == [int((holds & (y == label)).sum()) for label in "xyz"]


def test_bags_are_counted_and_rows_are_listed():
    X = pandas.DataFrame({"v": [1.0, 5.0, 2.0, 2.5, 7.0]})
    engine = Engine(X, ["p", "p", "n", "n", "p"], bags=["a", "a", "b", "b", "c"])
    # The rarer class is the positive one, which is last.
    assert engine.classes == ["p", "n"]
    assert engine.evaluate(["v > 4", "v > 2", "true"]).tolist() == [[2, 0], [2, 1], [2, 1]]
    assert Engine(X, cover=True).rows("v > 2").tolist() == [1, 3, 4]
    with pytest.raises(ValueError, match="cover=True"):
        Engine(X).rows("v > 2")


def test_invalid_expressions_are_errors():
    engine = Engine(np.arange(6.0).reshape(3, 2))
    counts, wrong = engine.try_evaluate(["x1 > 1", "x3 > 1", "x1 >"])
    assert counts[0].tolist() == [2] and wrong[0] is None
    assert "x3" in wrong[1] and wrong[2] is not None
    with pytest.raises(ValueError, match="expression 1"):
        engine.evaluate(["x1 > 1", "x3 > 1"])
