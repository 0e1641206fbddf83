"""Closed interval patterns: the concepts of a table of numbers, without scaling.

Examples
--------
>>> import pandas
>>> from pellucid.intervals import interval_patterns
>>> patients = pandas.DataFrame({"age": [25, 31, 58], "bmi": [21.5, 24.0, 24.0]})
>>> for pattern in interval_patterns(patients, min_support=2):
...     print(pattern)
3: (no conditions)
2: age [25, 31]
2: age [31, 58], bmi = 24
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from . import _native
from ._frames import fill, is_pandas


class IntervalPattern(NamedTuple):
    """A closed interval pattern: objects, and the smallest intervals that contain their values.

    Attributes
    ----------
    conditions : dict of str to (float, float) or str
        The interval or the category of each column. A column without a condition has its whole range, or a
        missing value.
    extent : tuple of str
        The objects. No other object fits the conditions.
    """

    conditions: dict[str, tuple[float, float] | str]
    extent: tuple[str, ...]

    @property
    def support(self) -> int:
        """The number of objects."""
        return len(self.extent)

    def __str__(self) -> str:
        shown = (_condition(column, condition) for column, condition in self.conditions.items())
        return f"{self.support}: {', '.join(shown) or '(no conditions)'}"


def interval_patterns(
    frame: Any, min_support: float = 1, *, max: int | None = None, n_jobs: int | None = None
) -> list[IntervalPattern]:
    """Return the closed interval patterns of a table, the most frequent first.

    Parameters
    ----------
    frame : data frame or array
        The data. Its rows are the objects.
    min_support : float, default=1
        Minimum number of objects of a pattern, or share of all objects if below 1.
    max : int, default=None
        Maximum number of patterns. If None, all are returned.
    n_jobs : int, default=None
        Number of threads. If None, all cores.

    Returns
    -------
    list of IntervalPattern
        The patterns.
    """
    if min_support < 0:
        raise ValueError(f"min_support: found {min_support}; expected a number of objects or a share below 1")
    table = _native.Table("data")
    fill(table, frame)
    rows = frame.shape[0] if hasattr(frame, "shape") else len(frame)
    least = math.ceil(min_support * rows) if min_support < 1 else int(min_support)
    names = [str(label) for label in frame.index] if is_pandas(frame) else [str(n + 1) for n in range(rows)]
    found = _native.interval_patterns(table, least, max, n_jobs)
    return [
        IntervalPattern(dict(conditions), tuple(names[row] for row in extent))
        for conditions, extent in found
    ]


def _condition(column: str, condition: tuple[float, float] | str) -> str:
    """Return a condition as text."""
    if isinstance(condition, str):
        return f"{column} = {condition}"
    low, high = (f"{bound:.15g}" for bound in condition)
    return f"{column} = {low}" if low == high else f"{column} [{low}, {high}]"
