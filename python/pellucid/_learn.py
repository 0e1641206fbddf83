"""Training a model on a data frame, given the name of its target column."""

from __future__ import annotations

from typing import Any

from . import _native
from ._checkpoint import checkpoint_advice, checkpoint_file
from ._frames import column_names, fill
from ._model import Model
from ._params import check_keywords, refuse_old_names, run_options, settings
from ._values import plain_settings
from ._warn import warn_user


def learn(
    learner: str,
    frame: Any,
    *,
    target: str,
    bags: str | None = None,
    sample_weight: str | None = None,
    groups: str | None = None,
    nominal: list[str] | None = None,
    keep: list[str] | None = None,
    ignore: list[str] | None = None,
    positive_class: str | None = None,
    task: str = "auto",
    alternatives: int = 0,
    **chosen: Any,
) -> Model:
    """Train a model on a data frame, as ``pellucid learn`` does on a file.

    The same data, seed and parameters give the same model file as the command line.

    Parameters
    ----------
    learner : str
        The name of the learner, such as ``"rules"``.
    frame : data frame
        The training data.
    target : str
        The target column.
    bags : str, default=None
        The column that identifies the bag of each row. If None, each row is an example.
    sample_weight : str, default=None
        The column with the weight of each row.
    groups : str, default=None
        The column whose values stay together when the data is split into folds.
    nominal : list of str, default=None
        Columns of numbers to treat as categories.
    keep : list of str, default=None
        Columns to keep even if they look like row identifiers.
    ignore : list of str, default=None
        Columns to leave out. Columns that look like row identifiers are left out too, with a warning.
    positive_class : str, default=None
        The positive one of two classes. By default it is the one named 1, yes, true or positive, or else the
        rarer one.
    task : {"auto", "classes", "number"}, default="auto"
        Whether to predict classes or a number.
    alternatives : int, default=0
        The number of further models to train. Each leaves out the leading columns of all models before it.
        They are in ``model.alternatives``.
    **chosen
        Parameters of the learner and of the run, as of the estimators. ``seed`` is an alias of
        ``random_state``.

    Returns
    -------
    Model
        The trained model.
    """
    refuse_old_names("learn", chosen, {"bag": "bags", "weight": "sample_weight"})
    chosen = check_keywords(learner, chosen)
    table = _native.Table("data")
    if ignore:
        frame = frame.drop(columns=list(ignore)) if hasattr(frame, "iloc") else frame.drop(list(ignore))
    fill(table, frame)
    roles = {
        "target": target,
        "bag": bags,
        "weight": sample_weight,
        "groups": groups,
        "nominal": list(nominal or []),
        "keep": list(keep or []),
        "keep_identifiers": False,
        "positive_class": positive_class,
        "refuses_odd_targets": True,
        "task": task,
        "drop_class": [],
    }
    used = {target, bags, sample_weight, groups}
    columns = [name for name in column_names(frame) if name not in used]
    changed = plain_settings(settings(learner, chosen), columns)
    options = run_options(chosen)
    if alternatives < 0:
        raise ValueError(f"alternatives: found {alternatives}; expected 0 or more")
    options["alternatives"] = alternatives
    options["checkpoint"] = checkpoint_file(learner, options["checkpoint"], table, roles, changed)
    with checkpoint_advice():
        model, run = _native.fit_table(learner, table, roles, changed, options)
    for column in run["left_out"]:
        warn_user(
            f"column {column!r} was left out because it looks like a row identifier; use keep=[{column!r}] "
            f"to keep it, or ignore=[{column!r}] to leave it out without this warning"
        )
    warn_of_values(run["data_notes"])
    return Model(model, run)


# Parts of notes about values that a user should check before trusting a model.
_ABOUT_VALUES = ("rows without a label", "differ only in case or spaces", "means a missing value")


def warn_of_values(notes: list[str]) -> None:
    """Warn about rows without a label, and about values that are probably not what they seem."""
    for note in notes:
        if any(part in note for part in _ABOUT_VALUES):
            warn_user(note)
