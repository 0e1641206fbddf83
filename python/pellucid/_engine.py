"""The evaluation engine, for writing your own learner: many expressions against one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from ._frames import add_values, as_array, column_names, fill, free_name, table_rows
from ._params import refuses


class Engine:
    """Count the examples that expressions cover.

    The table is prepared once and can then evaluate any number of expressions. Counts are exact integers and
    the same on every device.

    Parameters
    ----------
    X : data frame or array of shape (n_rows, n_columns)
        The rows. The columns of an array are named ``x1``, ``x2`` and so on.
    y : array of shape (n_rows,), default=None
        The class of each row. If None, all rows are counted together.
    bags : array of shape (n_rows,), default=None
        The bag of each row. If given, bags are counted instead of rows: an expression covers a bag if it
        is true for at least one of the bag's rows.
    n_jobs : int, default=None
        Number of CPU threads. None and -1 use all cores.
    device : str, default=None
        Devices to use, as listed by ``pellucid devices`` and separated by commas. None and ``"all"`` use
        all devices.
    cover : bool, default=False
        Whether :meth:`rows` is available.

    Examples
    --------
    >>> import pandas
    >>> people = pandas.DataFrame({"age": [34, 61, 58, 47], "smoker": ["no", "yes", "yes", "no"]})
    >>> engine = Engine(people, y=["well", "ill", "ill", "well"])
    >>> engine.classes
    ['ill', 'well']
    >>> engine.evaluate(["age > 50 and smoker = yes", "age > 40"]).tolist()
    [[2, 0], [2, 1]]
    """

    @refuses(groups="bags")
    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        bags: Any = None,
        n_jobs: int | None = None,
        device: str | None = None,
        cover: bool = False,
    ) -> None:
        table = _native.Table("data")
        X = table_rows(X)
        fill(table, X)
        names = column_names(X)
        target = bag = None
        if y is not None:
            target = free_name("target", names)
            add_values(table, target, as_array(y))
        if bags is not None:
            bag = free_name("bag", names)
            add_values(table, bag, as_array(bags))
        device = None if device == "all" else device
        self._native = _native.Evaluator(table, target, bag, cover, n_jobs, device)

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of the columns that :meth:`evaluate` returns."""
        return self._native.classes

    def evaluate(self, expressions: Sequence[str]) -> np.ndarray:
        """Count the examples of each class that each expression covers.

        Parameters
        ----------
        expressions : sequence of str
            Expressions over the columns, such as ``"age > 50 and smoker = yes"``.

        Returns
        -------
        ndarray of shape (n_expressions, n_classes)
            The counts.

        Raises
        ------
        ValueError
            If an expression is invalid. See :meth:`try_evaluate` for a method that continues.
        """
        counts, errors = self.try_evaluate(expressions)
        for index, error in enumerate(errors):
            if error is not None:
                raise ValueError(f"expression {index} ({expressions[index]!r}): {error}")
        return counts

    def try_evaluate(self, expressions: Sequence[str]) -> tuple[np.ndarray, list[str | None]]:
        """Count the examples of each class that each expression covers, and collect errors.

        Parameters
        ----------
        expressions : sequence of str
            Expressions over the columns.

        Returns
        -------
        counts : ndarray of shape (n_expressions, n_classes)
            The counts. The row of an invalid expression is zero.
        errors : list of str or None
            The error message of each invalid expression, and None for the others.
        """
        return self._native.counts(list(expressions))

    def rows(self, expression: str) -> np.ndarray:
        """Return the indices of the rows for which an expression is true.

        Parameters
        ----------
        expression : str
            An expression over the columns.

        Returns
        -------
        ndarray of shape (n_covered,)
            Row indices, counted from 0.

        Raises
        ------
        ValueError
            If the expression is invalid, or the engine was created without ``cover=True``.
        """
        return np.array(self._native.rows(expression), dtype=np.int64)
