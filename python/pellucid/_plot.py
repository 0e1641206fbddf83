"""Plots of fitted estimators, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._frames import column_names, is_pandas

# The most columns whose effects are shown, and the most values of a column.
_COLUMNS, _VALUES = 4, 40
# The number of rows for which effects are averaged.
_ROWS = 500


def new_axes(ax: Any) -> Any:
    """Return the given axes, or new ones."""
    if ax is not None:
        return ax
    return _pyplot().subplots()[1]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib; install it with 'pip install matplotlib'") from None
    return matplotlib.pyplot


def curves(kind: str, ax: Any, actual: np.ndarray, shares: np.ndarray, labels: Sequence[Any]) -> Any:
    """Draw the gains, ROC or calibration curve of the second of two classes, or one curve per class."""
    ax = new_axes(ax)
    draw = {"gains": _gains, "roc": _roc, "calibration": _calibration}[kind]
    shown = [1] if len(labels) == 2 else range(len(labels))
    for code in shown:
        draw(ax, actual == code, shares[:, code], str(labels[code]))
    diagonal = "ideal" if kind == "calibration" else "no skill"
    ax.plot([0, 1], [0, 1], color="gray", linestyle=":", label=diagonal)
    ax.legend()
    return ax


def _roc(ax: Any, is_class: np.ndarray, share: np.ndarray, label: str) -> None:
    from sklearn.metrics import roc_auc_score, roc_curve

    false_rate, true_rate, _ = roc_curve(is_class, share)
    ax.plot(false_rate, true_rate, label=f"{label} (AUC {roc_auc_score(is_class, share):.3f})")
    ax.set(xlabel="false positive rate", ylabel="true positive rate", title="ROC curve")


def _gains(ax: Any, is_class: np.ndarray, share: np.ndarray, label: str) -> None:
    order = np.argsort(-share, kind="stable")
    found = np.concatenate([[0.0], np.cumsum(is_class[order]) / max(is_class.sum(), 1)])
    ax.plot(np.linspace(0.0, 1.0, len(found)), found, label=label)
    ax.set(xlabel="share of examples, highest probability first", ylabel="share found", title="Gains")


def _calibration(ax: Any, is_class: np.ndarray, share: np.ndarray, label: str) -> None:
    from sklearn.calibration import calibration_curve

    bins = min(10, max(2, len(share) // 20))
    observed, predicted = calibration_curve(is_class, share, n_bins=bins, strategy="quantile")
    ax.plot(predicted, observed, marker="o", label=label)
    ax.set(xlabel="predicted probability", ylabel="observed share", title="Calibration")


def path(ax: Any, columns: dict[str, list[Any]]) -> Any:
    """Draw the cross-validated figures by number of rules."""
    ax = new_axes(ax)
    figures = {"accuracy": "accuracy", "auc": "AUC", "r2": "R²"}
    shown = [name for name in figures if any(value is not None for value in columns.get(name, []))]
    for name in shown:
        ax.plot(columns["rules"], columns[name], marker=".", label=figures[name])
    selected = columns["rules"][columns["selected"].index(True)]
    ax.axvline(selected, color="gray", linestyle=":", label="selected")
    title = "R²" if "r2" in shown else "Accuracy"
    ax.set(xlabel="number of rules", ylabel="cross-validated", title=f"{title} by number of rules")
    ax.legend()
    return ax


def effects(estimator: Any, X: Any, columns: Sequence[str] | None, ax: Any) -> Any:
    """Draw the partial dependence of the score or the number on some columns, one plot per column."""
    if not is_pandas(X):
        raise TypeError("plot('effects') needs a pandas data frame")
    names = list(columns) if columns is not None else _most_important(estimator, X)
    if ax is None:
        ax = _pyplot().subplots(1, len(names), squeeze=False, figsize=(4 * len(names), 3.5))[1][0]
    axes = np.atleast_1d(ax)
    if len(axes) != len(names):
        raise ValueError(f"ax: found {len(axes)} axes; expected {len(names)}, one per column")
    for one, name in zip(axes, names):
        _effect(estimator, X, name, one)
    return axes


def _most_important(estimator: Any, X: Any) -> list[str]:
    names = column_names(X)
    order = np.argsort(-estimator.feature_importances_, kind="stable")
    used = [index for index in order if estimator.feature_importances_[index] > 0.0]
    return [names[index] for index in (used or list(order))[:_COLUMNS]]


def _effect(estimator: Any, X: Any, name: str, ax: Any) -> None:
    rows = X.iloc[np.unique(np.linspace(0, len(X) - 1, _ROWS).round().astype(int))]
    index = column_names(X).index(name)
    values = X.iloc[:, index].dropna()
    is_number = values.dtype.kind in "iuf"
    grid = np.unique(values.quantile(np.linspace(0, 1, _VALUES))) if is_number else values.unique()[:_VALUES]
    score = getattr(estimator, "decision_function", estimator.predict)
    means = []
    for value in grid:
        changed = rows.copy()
        changed[X.columns[index]] = value
        if not is_number:
            changed[X.columns[index]] = changed[X.columns[index]].astype(values.dtype)
        means.append(score(changed).mean(axis=0))
    if is_number:
        ax.plot(grid, means, drawstyle="steps-mid")
    else:
        ax.plot([str(value) for value in grid], means, linestyle="", marker="o")
    ax.set(xlabel=name, ylabel="mean score", title="Feature effect (partial dependence)")
