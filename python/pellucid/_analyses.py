"""Two models on the same data, and models on new data."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _native
from ._jobs import thread_count
from ._report import Report
from ._tables import RecordTable


class Analysis(Report):
    """An analysis as text, as data and as a page.

    Attributes
    ----------
    text : str
        The analysis as text, as ``print`` shows it.
    data : dict
        The analysis as JSON-like data.
    html : str
        The page, as notebooks show it.
    """

    def __init__(self, native: tuple[str, str, str], title: str) -> None:
        text, data, html = native
        super().__init__(html, title)
        self.text = text
        self.data: dict[str, Any] = json.loads(data)

    def __repr__(self) -> str:
        return self.text


class Comparison(Analysis):
    """Two models on the same examples: figures, paired tests and different predictions."""

    @property
    def figures(self) -> RecordTable[dict[str, Any]]:
        """The figures of both models, with the difference, its interval and the p-value."""
        return RecordTable(self.data.get("figures", []))

    @property
    def disagreements(self) -> RecordTable[dict[str, Any]]:
        """The examples with different predictions, the largest difference first."""
        return RecordTable(self.data["disagreements"])


class Monitoring(Analysis):
    """A model on new data: the drift of columns and predictions, and the quality."""

    @property
    def columns(self) -> RecordTable[dict[str, Any]]:
        """The drift of each column, the largest first."""
        return RecordTable(self.data["columns"])

    @property
    def quality(self) -> RecordTable[dict[str, Any]]:
        """The figures on the new data beside those of the reference. Empty if there are no actual values."""
        return RecordTable(self.data["quality"])

    @property
    def drifting(self) -> list[str]:
        """The names of the columns that drift."""
        return [column["name"] for column in self.data["columns"] if column["severity"] != "stable"]


def _native_model(model: Any) -> _native.Model:
    """Return the native model of a model or a fitted estimator."""
    inner = getattr(model, "model_", model)
    native = getattr(inner, "_native", None)
    if not isinstance(native, _native.Model):
        expected = "a pellucid.Model or a fitted estimator of pellucid"
        raise TypeError(f"found a {type(model).__name__}; expected {expected}")
    if native.learner == "logic":
        raise TypeError("a model of class expressions has no table; expected a model of a table")
    return native


def _table(model: Any, X: Any, y: Any, bags: Any) -> _native.Table:
    """Return examples as a table for a model or a fitted estimator."""
    if hasattr(model, "model_"):
        table: _native.Table = model._labeled(X, y, bags)
        return table
    if bags is not None:
        raise ValueError("bags: a pellucid.Model needs the column of the bags in X")
    other: _native.Table = model._labeled_table(X, y)
    return other


def compare(
    a: Any,
    b: Any,
    X: Any,
    y: Any = None,
    *,
    bags: Any = None,
    names: tuple[str, str] = ("A", "B"),
    limit: int = 100,
    path: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    device: str | None = None,
) -> Comparison:
    """Compare two models on the same examples, as ``pellucid compare`` does.

    Parameters
    ----------
    a, b : Model or fitted estimator
        The models. They predict the same target.
    X : data frame, array of shape (n_rows, n_columns) or list of bags
        Examples that neither model was trained on. For a :class:`Model`, X may have the target column.
    y : array of shape (n_examples,), default=None
        The actual class or number of each example. Without it, only the predictions are compared.
    bags : array of shape (n_rows,), default=None
        The bag of each row, for estimators that were trained on bags.
    names : pair of str, default=("A", "B")
        The names of the models in the page.
    limit : int, default=100
        Maximum number of examples with different predictions to list.
    path : str or path, default=None
        A file to write the page to.
    n_jobs : int, default=None
        Number of CPU threads. None means 1 unless in a joblib.parallel_config context. -1 uses all cores.
    device : str, default=None
        Devices to use, as listed by ``pellucid devices``. None uses all devices.

    Returns
    -------
    Comparison
        The comparison, as text, as data and as a page.
    """
    pair = [(_native_model(model), _table(model, X, y, bags)) for model in (a, b)]
    native = _native.compare_models(pair[0], pair[1], names, limit, thread_count(n_jobs), device)
    found = Comparison(native, "Comparison of two models")
    if path is not None:
        found.save(path)
    return found


def monitor(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    reference: Any = None,
    reference_y: Any = None,
    bags: Any = None,
    path: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    device: str | None = None,
) -> Monitoring:
    """Compare new data with the training data of a model, as ``pellucid monitor`` does.

    Parameters
    ----------
    model : Model or fitted estimator
        The model.
    X : data frame, array of shape (n_rows, n_columns) or list of bags
        The new data. For a :class:`Model`, X may have the target column.
    y : array of shape (n_examples,), default=None
        The actual class or number of each example. Without it, the quality is not compared.
    reference : data frame or array of shape (n_rows, n_columns), default=None
        The data to compare with. If None, the profile of the training data in the model.
    reference_y : array of shape (n_examples,), default=None
        The actual class or number of each example of the reference.
    bags : array of shape (n_rows,), default=None
        The bag of each row of X, for estimators that were trained on bags.
    path : str or path, default=None
        A file to write the page to.
    n_jobs : int, default=None
        Number of CPU threads. None means 1 unless in a joblib.parallel_config context. -1 uses all cores.
    device : str, default=None
        Devices to use, as listed by ``pellucid devices``. None uses all devices.

    Returns
    -------
    Monitoring
        The drift and the quality, as text, as data and as a page.
    """
    native = _native_model(model)
    new = _table(model, X, y, bags)
    old = None if reference is None else _table(model, reference, reference_y, None)
    found = Monitoring(
        _native.monitor_model(native, new, old, thread_count(n_jobs), device), "Monitoring of a model"
    )
    if path is not None:
        found.save(path)
    return found
