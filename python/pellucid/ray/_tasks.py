"""Work that falls into pieces of its own: folds and seeds, and parts of a table to predict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import ray

from .._model import Model
from ._rows import parts_of, read


def _one_fold(estimator: Any, X: Any, y: Any, train: np.ndarray, test: np.ndarray, seed: int) -> dict[str, Any]:
    """Learns without a fold and judges by it."""
    from sklearn.base import clone
    from sklearn.metrics import accuracy_score, balanced_accuracy_score
    from sklearn.utils import _safe_indexing

    fitted = clone(estimator).set_params(random_state=seed, n_jobs=1)
    fitted.fit(_safe_indexing(X, train), _safe_indexing(y, train))
    predicted, actual = fitted.predict(_safe_indexing(X, test)), _safe_indexing(y, test)
    return {
        "accuracy": float(accuracy_score(actual, predicted)),
        "balanced_accuracy": float(balanced_accuracy_score(actual, predicted)),
        "model": fitted.to_json(),
    }


def cross_validate(
    estimator: Any, X: Any, y: Any, *, folds: int = 10, seeds: Sequence[int] = (0,), shuffle: int = 0
) -> list[dict[str, Any]]:
    """Learns and judges every fold for every seed, wherever Ray has a core; the order and the results do not depend on how many.

    Gives for each seed and fold its ``seed``, ``fold``, ``accuracy``, ``balanced_accuracy`` and ``model`` (the text of the model file). A list of
    bags is dealt bag by bag.
    """
    from sklearn.model_selection import StratifiedKFold

    task = ray.remote(max_retries=-1, num_cpus=1)(_one_fold)
    sent = [ray.put(one) for one in (estimator, X, y)]
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=shuffle).split(np.zeros(len(y)), y))
    places = [(seed, fold) for seed in seeds for fold in range(folds)]
    done = ray.get([task.remote(*sent, *splits[fold], seed) for seed, fold in places])
    return [{"seed": seed, "fold": fold, **one} for (seed, fold), one in zip(places, done)]


def _predicted(model: Model, part: Any, method: str, jobs: int) -> np.ndarray:
    found: np.ndarray = getattr(model, method)(read(part), n_jobs=jobs)
    return found


def predict(model: Model, source: Any, *, method: str = "predict", num_cpus: int = 1) -> list[np.ndarray]:
    """What a model says of every part, in their order: classes or numbers, or with ``method="predict_proba"`` probabilities.

    ``source`` is a list of Parquet files or frames, or a Ray Dataset; all rows of a bag must be in one part.
    """
    task = ray.remote(max_retries=-1, num_cpus=num_cpus)(_predicted)
    sent = ray.put(model)
    found: list[np.ndarray] = ray.get([task.remote(sent, part, method, num_cpus) for part in parts_of(source)])
    return found
