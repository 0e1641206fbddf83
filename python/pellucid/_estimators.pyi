# Written by tools/stubs.py from the parameters' own table.
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._model import Explanation, Model

__all__ = ['NetworkClassifier', 'RuleClassifier', 'RuleRegressor', 'XCSClassifier']

class NetworkClassifier:
    def __init__(
        self,
        *,
        mode: Literal['default', 'paper'] = 'default',
        metric: Literal['lift', 'precision', 'auc', 'log-loss', 'mcc'] = 'lift',
        top: float = 0.2,
        top_rows: float | None = None,
        nodes: float | None = None,
        activation: str | None = None,
        second_layer: int = 0,
        second_activation: Literal['rbf', 'sigmoid', 'tanh', 'relu'] = 'tanh',
        islands: int = 5,
        rare: int = 20,
        smoothing: float = 10.0,
        steps: int = 32,
        clip: float = 5.0,
        rounds: float | None = None,
        learning_rate: float = 0.01,
        batch: float | None = None,
        decay: float = 0.0,
        round_patience: float | None = None,
        search: Literal['genetic', 'snes'] = 'genetic',
        population: float | None = None,
        generations: float | None = None,
        patience: int = 1,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        device: str = 'all',
        time_limit: float | None = None,
        inner_folds: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> NetworkClassifier: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation: ...
    def show(self, rules: int | None = None) -> str: ...
    def save(self, path: Any) -> None: ...
    def to_json(self) -> str: ...
    def to_sql(self, table: str = "data", view: str | None = None) -> str: ...
    def to_python(self) -> str: ...
    def to_html(self, part: bool = False) -> str: ...
    def to_onnx(self) -> bytes: ...
    classes_: np.ndarray
    def fit(self, X: Any, y: Any) -> NetworkClassifier: ...
    def predict(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def decision_function(self, X: Any) -> np.ndarray: ...

class RuleClassifier:
    def __init__(
        self,
        *,
        mode: Literal['default', 'list', 'g3p-mi', 'pareto'] = 'default',
        hypothesis: str = 'auto',
        attributes: Sequence[str] | Mapping[str, float] | str | None = None,
        forbid: Sequence[str] | Mapping[str, float] | str | None = None,
        require: Sequence[str] | Mapping[str, float] | str | None = None,
        monotone: Sequence[str] | Mapping[str, float] | str | None = None,
        interactions: float | None = None,
        operators: Sequence[str] | Mapping[str, float] | str | None = None,
        size: Literal['small', 'medium', 'large'] = 'medium',
        rules: float | None = None,
        most_rules: int = 50,
        most_comparisons: int = 3,
        always_vote: bool = False,
        class_weight: Literal['balanced'] | Mapping[Any, float] | None = None,
        decide: str = 'accuracy',
        loss: Literal['squared', 'absolute'] = 'squared',
        metric: Literal['accuracy', 'balanced_accuracy', 'sensitivity', 'specificity', 'precision', 'negative_precision', 'f1', 'f2', 'f0.5', 'mcc', 'kappa', 'youden', 'g_mean', 'sens_x_spec', 'jaccard', 'wracc', 'lift', 'laplace', 'm_estimate'] = 'sens_x_spec',
        population: int = 1000,
        generations: int = 100,
        crossover: float = 0.95,
        mutation: float = 0.3,
        elite: float = 0.05,
        tournament: int = 2,
        max_size: int = 50,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        device: str = 'all',
        time_limit: float | None = None,
        inner_folds: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> RuleClassifier: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation: ...
    def show(self, rules: int | None = None) -> str: ...
    def save(self, path: Any) -> None: ...
    def to_json(self) -> str: ...
    def to_sql(self, table: str = "data", view: str | None = None) -> str: ...
    def to_python(self) -> str: ...
    def to_html(self, part: bool = False) -> str: ...
    def to_onnx(self) -> bytes: ...
    classes_: np.ndarray
    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> RuleClassifier: ...
    def predict(self, X: Any, *, groups: Any = None) -> np.ndarray: ...
    def predict_proba(self, X: Any, *, groups: Any = None) -> np.ndarray: ...
    def decision_function(self, X: Any, *, groups: Any = None) -> np.ndarray: ...

class RuleRegressor:
    def __init__(
        self,
        *,
        mode: Literal['default', 'list', 'g3p-mi', 'pareto'] = 'default',
        hypothesis: str = 'auto',
        attributes: Sequence[str] | Mapping[str, float] | str | None = None,
        forbid: Sequence[str] | Mapping[str, float] | str | None = None,
        require: Sequence[str] | Mapping[str, float] | str | None = None,
        monotone: Sequence[str] | Mapping[str, float] | str | None = None,
        interactions: float | None = None,
        operators: Sequence[str] | Mapping[str, float] | str | None = None,
        size: Literal['small', 'medium', 'large'] = 'medium',
        rules: float | None = None,
        most_rules: int = 50,
        most_comparisons: int = 3,
        always_vote: bool = False,
        class_weight: Literal['balanced'] | Mapping[Any, float] | None = None,
        decide: str = 'accuracy',
        loss: Literal['squared', 'absolute'] = 'squared',
        metric: Literal['accuracy', 'balanced_accuracy', 'sensitivity', 'specificity', 'precision', 'negative_precision', 'f1', 'f2', 'f0.5', 'mcc', 'kappa', 'youden', 'g_mean', 'sens_x_spec', 'jaccard', 'wracc', 'lift', 'laplace', 'm_estimate'] = 'sens_x_spec',
        population: int = 1000,
        generations: int = 100,
        crossover: float = 0.95,
        mutation: float = 0.3,
        elite: float = 0.05,
        tournament: int = 2,
        max_size: int = 50,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        device: str = 'all',
        time_limit: float | None = None,
        inner_folds: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> RuleRegressor: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation: ...
    def show(self, rules: int | None = None) -> str: ...
    def save(self, path: Any) -> None: ...
    def to_json(self) -> str: ...
    def to_sql(self, table: str = "data", view: str | None = None) -> str: ...
    def to_python(self) -> str: ...
    def to_html(self, part: bool = False) -> str: ...
    def to_onnx(self) -> bytes: ...
    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None) -> RuleRegressor: ...
    def predict(self, X: Any, *, groups: Any = None) -> np.ndarray: ...

class XCSClassifier:
    def __init__(
        self,
        *,
        mode: Literal['supervised', 'reward'] = 'supervised',
        iterations: float | None = None,
        population: int = 2000,
        columns_named: float | None = None,
        spread: float = 0.5,
        most_rules: int = 50,
        class_weight: Literal['balanced'] | Mapping[Any, float] | None = None,
        keep_all: bool = False,
        keep_population: bool = False,
        breeding_pause: int = 25,
        crossover_rate: float = 0.8,
        crossover: Literal['two-point', 'uniform'] = 'uniform',
        mutation: float = 0.2,
        bounds: Literal['centre-spread', 'ordered', 'unordered'] = 'ordered',
        reach: float = 0.2,
        tournament: float = 0.4,
        condensation: float = 0.0,
        no_child_subsumption: bool = False,
        niche_subsumption: bool = False,
        learning_rate: float = 0.2,
        accuracy_power: float = 5.0,
        accurate_from: float = 0.99,
        forgiven_error: float = 0.01,
        specify: bool = False,
        prediction_first: bool = False,
        least_actions: float | None = None,
        exploration: float = 0.5,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        n_jobs: int | None = None,
        device: str = 'all',
        time_limit: float | None = None,
        inner_folds: int | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> XCSClassifier: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation: ...
    def show(self, rules: int | None = None) -> str: ...
    def save(self, path: Any) -> None: ...
    def to_json(self) -> str: ...
    def to_sql(self, table: str = "data", view: str | None = None) -> str: ...
    def to_python(self) -> str: ...
    def to_html(self, part: bool = False) -> str: ...
    def to_onnx(self) -> bytes: ...
    classes_: np.ndarray
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> XCSClassifier: ...
    def predict(self, X: Any) -> np.ndarray: ...
    def predict_proba(self, X: Any) -> np.ndarray: ...
    def decision_function(self, X: Any) -> np.ndarray: ...
