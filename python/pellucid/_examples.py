"""Training and prediction data: rows, or bags of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from . import _native
from ._frames import add_words, as_array, column_names, fill, is_frame


class Examples:
    """Rows, and the bag of each row if there are bags."""

    def __init__(self, X: Any, groups: np.ndarray | None, group_name: str | None) -> None:
        self.X = X
        self.groups = groups
        self.group_name = group_name
        self.names = column_names(X)
        self.rows = X.shape[0]
        if groups is None:
            self.first = np.arange(self.rows)
            self.of_row = self.first
            return
        # Number the bags in the order of their first rows, as the native module does.
        _, first, sorted_index = np.unique(groups, return_index=True, return_inverse=True)
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
        if self.groups is not None and len(values) == len(self):
            repeated: np.ndarray = values[self.of_row]
            return repeated
        expected = f"{self.rows} (one per row)"
        if self.groups is not None:
            expected += f" or {len(self)} (one per bag, in the order of the bags' first rows)"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {what} has {len(values)} values; "
            f"expected {expected}"
        )

    def fill(self, table: _native.Table, bag: str | None, names: list[str] | None = None) -> None:
        """Add the columns and the bags to a table."""
        fill(table, self.X, names)
        # Reject infinity as scikit-learn does. NaN is a missing value.
        infinite = table.infinite()
        if infinite is not None:
            raise ValueError(f"Input X contains infinity or a value too large: column {infinite!r}.")
        if bag is not None and self.groups is not None:
            add_words(table, bag, [str(group) for group in self.groups.tolist()])


def row_weights(sample_weight: Any, examples: Examples, y: np.ndarray) -> np.ndarray:
    """Return the weight of each row, after the checks of scikit-learn."""
    sample_weight = as_array(sample_weight)
    if sample_weight.ndim == 1:
        sample_weight = examples.per_row(sample_weight, "sample_weight")
    weights = _check_sample_weight(sample_weight, y if is_frame(examples.X) else examples.X[:, :1])
    return np.asarray(weights, dtype=np.float64)
