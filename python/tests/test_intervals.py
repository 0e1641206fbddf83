"""Closed interval patterns, compared with their definition."""

import itertools

import numpy as np
import pandas
import pytest

from pellucid.intervals import interval_patterns


def by_definition(frame, least):
    """Return the extents of all closed patterns, by brute force."""
    found = set()
    for size in range(1, len(frame) + 1):
        for chosen in itertools.combinations(range(len(frame)), size):
            part = frame.iloc[list(chosen)]
            fits = np.ones(len(frame), bool)
            for column in frame:
                if frame[column].dtype == object:
                    if part[column].nunique() == 1:
                        fits &= (frame[column] == part[column].iloc[0]).to_numpy()
                else:
                    fits &= frame[column].between(part[column].min(), part[column].max()).to_numpy()
            found.add(tuple(frame.index[fits]))
    return {extent for extent in found if len(extent) >= least}


@pytest.mark.parametrize("seed", range(4))
def test_all_patterns(seed):
    draw = np.random.default_rng(seed)
    frame = pandas.DataFrame(
        {
            "age": draw.integers(20, 26, 9).astype(float),
            "bmi": draw.integers(40, 46, 9) / 2,
            "sex": draw.choice(["m", "f"], 9).astype(object),
        },
        index=[f"p{number}" for number in range(9)],
    )
    for least in (1, 3):
        found = interval_patterns(frame, least)
        assert {pattern.extent for pattern in found} == by_definition(frame, least)
        assert len(found) == len({pattern.extent for pattern in found})
        supports = [pattern.support for pattern in found]
        assert supports == sorted(supports, reverse=True)
        for pattern in found:
            part = frame.loc[list(pattern.extent)]
            for column, condition in pattern.conditions.items():
                if isinstance(condition, str):
                    assert set(part[column]) == {condition}
                else:
                    assert condition == (part[column].min(), part[column].max())
    assert interval_patterns(frame, 1) == interval_patterns(frame, 1, n_jobs=1)
    assert len(interval_patterns(frame, max=3)) == 3
    assert interval_patterns(frame, 0.34) == interval_patterns(frame, 4)
    with pytest.raises(ValueError, match="min_support: found -1"):
        interval_patterns(frame, -1)
