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
    columns = {"target": target, "bag": bags, "weight": sample_weight, "groups": groups}
    given = {"nominal": nominal, "keep": keep, "positive_class": positive_class, "task": task}
    table, roles, changed, options = prepared("learn", learner, frame, columns, given, ignore, chosen)
    if alternatives < 0:
        raise ValueError(f"alternatives: found {alternatives}; expected 0 or more")
    options["alternatives"] = alternatives
    options["checkpoint"] = checkpoint_file(learner, options["checkpoint"], table, roles, changed)
    with checkpoint_advice():
        model, run = _native.fit_table(learner, table, roles, changed, options)
    warn_of_data(run["left_out"], run["data_notes"])
    return Model(model, run)


def prepared(
    function: str,
    learner: str,
    frame: Any,
    columns: dict[str, str | None],
    given: dict[str, Any],
    ignore: list[str] | None,
    chosen: dict[str, Any],
) -> tuple[_native.Table, dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return the table, the roles of its columns, the changed parameters and the options of a run."""
    refuse_old_names(function, chosen, {"bag": "bags", "weight": "sample_weight"})
    chosen = check_keywords(learner, chosen, function)
    table = _native.Table("data")
    if ignore:
        frame = frame.drop(columns=list(ignore)) if hasattr(frame, "iloc") else frame.drop(list(ignore))
    fill(table, frame)
    roles = {
        **columns,
        **given,
        "nominal": list(given["nominal"] or []),
        "keep": list(given["keep"] or []),
        "keep_identifiers": False,
        "refuses_odd_targets": True,
        "drop_class": [],
    }
    used = set(columns.values())
    features = [name for name in column_names(frame) if name not in used]
    return table, roles, plain_settings(settings(learner, chosen), features), run_options(chosen)


# Parts of notes about values that a user should check before trusting a model.
_ABOUT_VALUES = ("rows without a label", "differ only in case or spaces", "means a missing value")


def warn_of_data(left_out: list[str], notes: list[str]) -> None:
    """Warn about columns that were left out, rows without a label, and values that are not what they seem."""
    for column in left_out:
        warn_user(
            f"column {column!r} was left out because it looks like a row identifier; use keep=[{column!r}] "
            f"to keep it, or ignore=[{column!r}] to leave it out without this warning"
        )
    for note in notes:
        if any(part in note for part in _ABOUT_VALUES):
            warn_user(note)
