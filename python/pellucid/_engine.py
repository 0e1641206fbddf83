"""The engine for people who write their own learner: very many expressions against one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from ._frames import add_values, as_array, column_names, fill, free_name, is_frame


class Engine:
    """A table laid out for very many expressions.

    >>> import pandas
    >>> people = pandas.DataFrame({"age": [34, 61, 58, 47], "smoker": ["no", "yes", "yes", "no"]})
    >>> engine = Engine(people, y=["well", "ill", "ill", "well"])
    >>> engine.classes
    ['ill', 'well']
    >>> engine.evaluate(["age > 50 and smoker = yes", "age > 40"]).tolist()
    [[2, 0], [2, 1]]

    Counts are whole numbers and the same on every device. With ``groups`` the rows belong to bags, and bags are counted of
    which a row has what is asked.
    """

    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        groups: Any = None,
        n_jobs: int | None = None,
        device: str | None = None,
        cover: bool = False,
    ) -> None:
        table = _native.Table("data")
        X = X if is_frame(X) else as_array(X)
        fill(table, X)
        names = column_names(X)
        target = bag = None
        if y is not None:
            target = free_name("target", names)
            add_values(table, target, as_array(y))
        if groups is not None:
            bag = free_name("bag", names)
            add_values(table, bag, as_array(groups))
        self._native = _native.Evaluator(table, target, bag, cover, n_jobs, None if device == "all" else device)

    @property
    def classes(self) -> list[str]:
        """What the counts are of, in their order."""
        return self._native.classes

    def evaluate(self, expressions: Sequence[str]) -> np.ndarray:
        """How many examples of each class every expression holds for, an expression a row.

        An expression that cannot be understood raises ``ValueError``; ``try_evaluate`` goes on.
        """
        counts, wrong = self.try_evaluate(expressions)
        for place, why in enumerate(wrong):
            if why is not None:
                raise ValueError(f"expression {place} ({expressions[place]!r}): {why}")
        return counts

    def try_evaluate(self, expressions: Sequence[str]) -> tuple[np.ndarray, list[str | None]]:
        """The same; where an expression cannot be understood there are zeros, and the reason beside them."""
        return self._native.counts(list(expressions))

    def rows(self, expression: str) -> np.ndarray:
        """The rows that an expression holds for, of an engine made with ``cover=True``."""
        return np.array(self._native.rows(expression), dtype=np.int64)
