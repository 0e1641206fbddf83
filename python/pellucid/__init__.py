"""White-box learning at hardware speed.

Models that a person can read, learned on every core and GPU of the machine:

>>> from pellucid import RuleClassifier
>>> from sklearn.datasets import load_breast_cancer
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> model = RuleClassifier().fit(X, y)
>>> print(model)  # doctest: +SKIP

- ``RuleClassifier``, ``XCSClassifier``, ``NetworkClassifier``: scikit-learn estimators; ``RuleClassifier`` takes bags, too.
- ``learn``, ``load``, ``Model``: the same as the command line does it, from a frame and the name of its target.
- ``describe``: what is in a frame. ``Engine``: very many expressions against one table.
- ``pellucid.logic``, ``pellucid.concepts``, ``pellucid.xcs``: ontologies, formal concepts, environments. ``pellucid.ray``: many machines.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._native import __version__

if TYPE_CHECKING:
    from . import concepts, logic, xcs
    from ._describe import Description, describe
    from ._engine import Engine
    from ._estimators import (
        NetworkClassifier,
        RuleClassifier,
        RuleRegressor,
        XCSClassifier,
    )
    from ._model import Explanation, Model, learn, load

# Where each name is: nothing is imported before it is used, so that the command starts at once.
_PLACES = {
    "Description": "._describe",
    "describe": "._describe",
    "Engine": "._engine",
    "NetworkClassifier": "._estimators",
    "RuleClassifier": "._estimators",
    "RuleRegressor": "._estimators",
    "XCSClassifier": "._estimators",
    "Explanation": "._model",
    "Model": "._model",
    "learn": "._model",
    "load": "._model",
}
_MODULES = ("concepts", "logic", "xcs")

__all__ = [
    "Description",
    "Engine",
    "Explanation",
    "Model",
    "NetworkClassifier",
    "RuleClassifier",
    "RuleRegressor",
    "XCSClassifier",
    "__version__",
    "concepts",
    "describe",
    "learn",
    "load",
    "logic",
    "xcs",
]


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(import_module(_PLACES[name], __name__), name)
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
