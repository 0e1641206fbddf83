"""Training and prediction data: rows, or bags of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _native
from ._frames import add_words, as_array, column_names, fill


class Examples:
    """Rows, and the bag of each row if there are bags."""

    def __init__(self, X: Any, bags: np.ndarray | None, bag_name: str | None) -> None:
        self.X = X
        self.bags = bags
        self.bag_name = bag_name
        self.names = column_names(X)
        self.rows = X.shape[0]
        if bags is None:
            self.first = np.arange(self.rows)
            self.of_row = self.first
            return
        # Number the bags in the order of their first rows, as the native module does.
        _, first, sorted_index = np.unique(bags, return_index=True, return_inverse=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first, kind="stable")] = np.arange(len(first))
        self.first = np.sort(first)
        self.of_row = number[sorted_index]

    def __len__(self) -> int:
        return len(self.first)

    def per_row(self, values: np.ndarray, what: str) -> np.ndarray:
        """Return one value per row, given one per row or one per bag."""
        if len(values) == self.rows:
            return values
        if self.bags is not None and len(values) == len(self):
            repeated: np.ndarray = values[self.of_row]
            return repeated
        expected = f"{self.rows} (one per row)"
        if self.bags is not None:
            expected += f" or {len(self)} (one per bag, in the order of the bags' first rows)"
        elif what == "y":
            expected += ". If y has one value per bag, pass the bag of each row as bags"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {what} has {len(values)} values; "
            f"expected {expected}"
        )

    def per_example(self, values: np.ndarray, what: str) -> np.ndarray:
        """Return one value per row or bag, given one per row or one per bag."""
        if self.bags is not None and len(values) == len(self):
            return values
        taken: np.ndarray = self.per_row(values, what)[self.first]
        return taken

    def fill(self, table: _native.Table, bag: str | None, names: list[str] | None = None) -> None:
        """Add the columns and the bags to a table."""
        fill(table, self.X, names)
        # Reject infinity as scikit-learn does. NaN is a missing value.
        infinite = table.infinite()
        if infinite is not None:
            raise ValueError(f"Input X contains infinity or a value too large: column {infinite!r}.")
        if bag is not None and self.bags is not None:
            add_words(table, bag, [str(one) for one in self.bags.tolist()])


def one_per_row(values: Any, what: str, X: Any) -> np.ndarray:
    """Return the bag or the group of each row as an array."""
    refuse_splitter(values, what)
    array = column_or_1d(values)
    check_consistent_length(X, array)
    return np.asarray(array)


def refuse_splitter(values: Any, what: str) -> None:
    """Raise TypeError for a splitter such as GroupKFold, or a column name, in place of an array."""
    if hasattr(values, "get_n_splits"):
        name = type(values).__name__
        raise TypeError(
            f"{what}: found a {name}; expected an array with one value per row. Pass the splitter as cv to "
            f"cross_val_score or GridSearchCV"
        )
    if isinstance(values, str):
        raise TypeError(f"{what}: found {values!r}; expected an array with one value per row")


def row_weights(sample_weight: Any, examples: Examples) -> np.ndarray:
    """Return the weight of each row, after the checks of scikit-learn."""
    sample_weight = as_array(sample_weight)
    if sample_weight.ndim == 0:
        return np.full(examples.rows, float(sample_weight))
    weights = check_array(
        sample_weight, ensure_2d=False, allow_nd=True, dtype=np.float64, input_name="sample_weight"
    )
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return examples.per_row(np.asarray(weights, dtype=np.float64), "sample_weight")
