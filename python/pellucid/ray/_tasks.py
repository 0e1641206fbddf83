"""Independent tasks: folds and seeds of a cross-validation, and parts of a table to predict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from .._frames import take_rows
from .._model import Model
from ._rows import parts_of, read


def _one_fold(
    estimator: Any, X: Any, y: Any, train: np.ndarray, test: np.ndarray, seed: int
) -> dict[str, Any]:
    """Fit on the training fold and evaluate on the test fold."""
    from sklearn.base import clone
    from sklearn.metrics import accuracy_score, balanced_accuracy_score

    fitted = clone(estimator).set_params(random_state=seed, n_jobs=1)
    fitted.fit(_take(X, train), _take(y, train))
    predicted, actual = fitted.predict(_take(X, test)), _take(y, test)
    return {
        "accuracy": float(accuracy_score(actual, predicted)),
        "balanced_accuracy": float(balanced_accuracy_score(actual, predicted)),
        "model": fitted.to_json(),
    }


def _take(values: Any, rows: np.ndarray) -> Any:
    """Return some rows of a table, some elements of an array, or some bags of a list."""
    if isinstance(values, (list, tuple)):
        return [values[row] for row in rows.tolist()]
    return values.iloc[rows] if hasattr(values, "iloc") else take_rows(values, rows)


def cross_validate(
    estimator: Any, X: Any, y: Any, *, folds: int = 10, seeds: Sequence[int] = (0,), shuffle: int = 0
) -> list[dict[str, Any]]:
    """Cross-validate an estimator with one task per fold and seed.

    The results and their order do not depend on the number of workers.

    Parameters
    ----------
    estimator : estimator
        The estimator to clone and fit.
    X : data frame, array of shape (n_rows, n_columns) or list of bags
        The data. A list of bags is split bag by bag.
    y : array of shape (n_examples,)
        The classes.
    folds : int, default=10
        Number of stratified folds.
    seeds : sequence of int, default=(0,)
        Values of ``random_state``. Each fold is run once per seed.
    shuffle : int, default=0
        Seed of the split into folds.

    Returns
    -------
    list of dict
        For each seed and fold its ``seed``, ``fold``, ``accuracy``, ``balanced_accuracy`` and ``model`` (the
        content of the model file).
    """
    from sklearn.model_selection import StratifiedKFold

    task = ray.remote(max_retries=-1, num_cpus=1)(_one_fold)
    sent = [ray.put(one) for one in (estimator, X, y)]
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=shuffle).split(np.zeros(len(y)), y))
    runs = [(seed, fold) for seed in seeds for fold in range(folds)]
    results = ray.get([task.remote(*sent, *splits[fold], seed) for seed, fold in runs])
    return [{"seed": seed, "fold": fold, **result} for (seed, fold), result in zip(runs, results)]


def _predict_part(model: Model, part: Any, method: str, jobs: int) -> np.ndarray:
    predictions: np.ndarray = getattr(model, method)(read(part), n_jobs=jobs)
    return predictions


def predict(model: Model, source: Any, *, method: str = "predict", num_cpus: int = 1) -> list[np.ndarray]:
    """Predict each part of a data source with one task per part.

    Parameters
    ----------
    model : Model
        The model.
    source : list of paths, list of data frames, or ray.data.Dataset
        The parts of the data. Paths are Parquet files. All rows of a bag must be in the same part.
    method : {"predict", "predict_proba"}, default="predict"
        The method of the model to call.
    num_cpus : int, default=1
        Number of CPU cores of each task.

    Returns
    -------
    list of ndarray
        The predictions of each part, in the order of the parts.
    """
    task = ray.remote(max_retries=-1, num_cpus=num_cpus)(_predict_part)
    sent = ray.put(model)
    tasks = [task.remote(sent, part, method, num_cpus) for part in parts_of(source)]
    predictions: list[np.ndarray] = ray.get(tasks)
    return predictions
