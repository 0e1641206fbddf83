"""Explanations of single predictions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._frames import take_rows

if TYPE_CHECKING:
    from ._examples import Examples


class Explanation:
    """Explanation of one prediction.

    Attributes
    ----------
    text : str
        The explanation as text. ``print`` and notebooks show it.
    data : dict
        The same explanation as JSON-like data.
    """

    def __init__(self, text: str, data: Any) -> None:
        self.text = text
        self.data = data

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from ._html import preformatted

        return preformatted(self.text)


def example_index(row: int, count: int) -> int:
    """Return the index of an example, counted from 0. A negative number counts from the end."""
    index = row + count if row < 0 else row
    if not 0 <= index < count:
        raise IndexError(f"row {row} is out of range: the data has {count} examples")
    return index


def explain_one(
    examples: Examples, row: int, predict: Callable[[Examples], _native.Predictions]
) -> Explanation:
    """Explain the prediction for one row or bag, given a function that predicts examples."""
    index = example_index(row, len(examples))
    rows = np.flatnonzero(examples.of_row == index)
    bags = None if examples.bags is None else examples.bags[rows]
    alone = type(examples)(take_rows(examples.X, rows), bags, examples.bag_name)
    return first_explanation(predict(alone), rows, index)


def first_explanation(predictions: _native.Predictions, rows: np.ndarray, index: int) -> Explanation:
    """Return the explanation of the first prediction, given its rows and its index in the whole data."""
    text, data = predictions.explain(0)
    return Explanation(_renumber_text(text, rows), _renumber(json.loads(data), rows, index))


def _renumber_text(text: str, rows: np.ndarray) -> str:
    """Return an explanation with the row numbers of the whole data, counted from 0."""

    def number(found: re.Match[str]) -> str:
        return f"{found[1]}row {rows[int(found[2]) - 1]}{found[3]}"

    return re.sub(r"(?m)^(\s*)row (\d+)(:| \()", number, text)


def _renumber(data: Any, rows: np.ndarray, index: int) -> Any:
    """Return the data of an explanation with the row numbers of the whole data, counted from 0."""
    if isinstance(data, list):
        return [_renumber(item, rows, index) for item in data]
    if not isinstance(data, dict):
        return data
    numbered = {key: _renumber(value, rows, index) for key, value in data.items()}
    if isinstance(data.get("row"), int):
        numbered["row"] = int(rows[data["row"] - 1])
    if isinstance(data.get("example"), int):
        numbered["example"] = index
    return numbered
