"""Cross-validation of a learner on a data frame."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._learn import prepared, warn_of_data
from ._tables import RecordTable
from ._warn import warn_user


class CrossValidation:
    """The result of a cross-validation, as text and as data.

    Attributes
    ----------
    text : str
        The figures of all held-out predictions with their intervals and baselines, as ``print`` shows them.
    data : dict
        The result as JSON-like data: ``summary`` has the figures of all held-out predictions together.
    """

    def __init__(self, native: tuple[str, str]) -> None:
        self.text = native[0]
        self.data: dict[str, Any] = json.loads(native[1])

    @property
    def figures(self) -> RecordTable[dict[str, Any]]:
        """The mean and the standard deviation of each metric over the folds."""
        spreads = {name: one for name, one in self.data.items() if isinstance(one, dict) and "mean" in one}
        return RecordTable(
            {"metric": name, "mean": one["mean"], "std": one["std"]} for name, one in spreads.items()
        )

    @property
    def folds(self) -> RecordTable[dict[str, Any]]:
        """The metrics of each fold on its held-out examples. Repeats and folds are counted from 0."""
        scores = self.data["scores"]
        return RecordTable(
            {"repeat": one["repeat"], "fold": one["fold"], **one["values"], "seconds": one["seconds"]}
            for one in scores
        )

    def __repr__(self) -> str:
        return self.text.rstrip("\n")


def cv(
    learner: str,
    frame: Any,
    *,
    target: str,
    folds: int = 10,
    repeats: int = 1,
    bags: str | None = None,
    sample_weight: str | None = None,
    groups: str | None = None,
    nominal: list[str] | None = None,
    keep: list[str] | None = None,
    ignore: list[str] | None = None,
    positive_class: str | None = None,
    task: str = "auto",
    **chosen: Any,
) -> CrossValidation:
    """Cross-validate a learner on a data frame, as ``pellucid cv`` does on a file.

    The folds are stratified, keep bags and groups together, and are the same as those of the command line.

    Parameters
    ----------
    learner : str
        The name of the learner, such as ``"rules"``.
    frame : data frame
        The data.
    target : str
        The target column.
    folds : int, default=10
        The number of folds.
    repeats : int, default=1
        The number of repeats, each with other folds.
    bags, sample_weight, groups, nominal, keep, ignore, positive_class, task
        As in :func:`learn`.
    **chosen
        Parameters of the learner and of the run, as of the estimators, except ``checkpoint``. ``seed`` is an
        alias of ``random_state``. ``n_jobs`` is the number of folds that are trained in parallel.

    Returns
    -------
    CrossValidation
        The held-out figures, as text and as data.
    """
    if chosen.get("checkpoint") is not None:
        raise ValueError("checkpoint: cv has no checkpoints; cross_val_score with an estimator has them")
    columns = {"target": target, "bag": bags, "weight": sample_weight, "groups": groups}
    given = {"nominal": nominal, "keep": keep, "positive_class": positive_class, "task": task}
    table, roles, changed, options = prepared("cv", learner, frame, columns, given, ignore, chosen)
    native = _native.cross_validate(learner, table, roles, changed, options, (folds, repeats))
    result = CrossValidation(native)
    for warning in result.data["warnings"]:
        warn_user(warning)
    warn_of_data(result.data["left_out"], result.data["notes"])
    return result
