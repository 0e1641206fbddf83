"""Writes the stubs of the estimators from the parameters' own table; with --check only looks whether they are up to date."""

import inspect
import sys
from pathlib import Path

import pellucid._estimators as estimators
from pellucid._params import RUN, learner_info, keyword, signature

PLACE = Path(__file__).resolve().parents[1] / "pellucid" / "_estimators.pyi"

HEAD = '''# Written by tools/stubs.py from the parameters' own table.
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from ._model import Explanation, Model

__all__ = {names}
'''

RUN_TYPES = {
    "n_jobs": "int | None",
    "device": "str",
    "time_limit": "float | None",
    "inner_folds": "int | None",
    "checkpoint": "str | os.PathLike[str] | None",
    "progress": "bool | Callable[[dict[str, Any]], object] | None",
}

METHODS = '''    model_: Model
    n_features_in_: int
    feature_names_in_: np.ndarray
    n_iter_: int
    def get_params(self, deep: bool = True) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> {name}: ...
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
    def explain(self, X: Any, row: int = 0, *, groups: Any = None) -> Explanation: ...
    def show(self, rules: int | None = None) -> str: ...
    def save(self, path: Any) -> None: ...
    def to_json(self) -> str: ...
    def to_sql(self, table: str = "data", view: str | None = None) -> str: ...
    def to_python(self) -> str: ...
    def to_html(self, part: bool = False) -> str: ...
    def to_onnx(self) -> bytes: ...
'''

CLASSIFIER = '''    classes_: np.ndarray
    def fit(self, X: Any, y: Any{weight}{groups}) -> {name}: ...
    def predict(self, X: Any{groups}) -> np.ndarray: ...
    def predict_proba(self, X: Any{groups}) -> np.ndarray: ...
    def decision_function(self, X: Any{groups}) -> np.ndarray: ...
'''

REGRESSOR = '''    def fit(self, X: Any, y: Any, sample_weight: Any = None{groups}) -> {name}: ...
    def predict(self, X: Any{groups}) -> np.ndarray: ...
'''


def type_of(parameter, default):
    """The type of a parameter, as far as its table tells."""
    if parameter["name"] == "seed":
        return "int | np.random.RandomState | np.random.Generator | None"
    if parameter["name"] == "class_weight":
        return "Literal['balanced'] | Mapping[Any, float] | None"
    if parameter["kind"] == "flag":
        return "bool"
    if parameter["choices"]:
        return "Literal[" + ", ".join(repr(choice) for choice in parameter["choices"]) + "]"
    if parameter["kind"] == "list":
        return "Sequence[str] | Mapping[str, float] | str | None"
    if parameter["kind"] == "number":
        kind = "float" if isinstance(default, float) else "int"
        return kind if default is not None else "float | None"
    return "str" if default is not None else "str | None"


def stub(cls):
    learner, name = cls._learner, cls.__name__
    rows = {keyword(row): row for row in learner_info(learner)["parameters"]}
    lines = [f"\nclass {name}:", "    def __init__(", "        self,", "        *,"]
    for parameter in list(signature(learner).parameters.values())[1:]:
        if parameter.name in RUN:
            kind = RUN_TYPES[parameter.name]
        else:
            kind = type_of(rows[parameter.name], parameter.default)
        lines.append(f"        {parameter.name}: {kind} = {parameter.default!r},")
    lines.append("    ) -> None: ...")
    groups = ", *, groups: Any = None" if cls._takes_bags else ""
    weighs = "sample_weight" in inspect.signature(cls.fit).parameters
    weight = ", sample_weight: Any = None" if weighs else ""
    own = CLASSIFIER if hasattr(cls, "predict_proba") else REGRESSOR
    return "\n".join(lines) + "\n" + METHODS.format(name=name) + own.format(name=name, groups=groups, weight=weight)


def text():
    found = [one for _, one in inspect.getmembers(estimators, inspect.isclass) if hasattr(one, "_learner")]
    found = [cls for cls in found if not cls.__name__.startswith("_")]
    return HEAD.replace("{names}", repr([cls.__name__ for cls in found])) + "".join(stub(cls) for cls in found)


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PLACE.read_text() != text():
            sys.exit(f"{PLACE} is out of date; run python tools/stubs.py")
    else:
        PLACE.write_text(text())
