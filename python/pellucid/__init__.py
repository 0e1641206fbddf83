"""White-box learning at hardware speed.

Learns models that people can read, on the CPU cores and GPUs of a machine:

>>> from pellucid import RuleClassifier
>>> from sklearn.datasets import load_breast_cancer
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> model = RuleClassifier().fit(X, y)
>>> print(model)  # doctest: +SKIP

- ``RuleClassifier``, ``RuleRegressor``, ``XCSClassifier``, ``XCSRegressor``,
  ``NetworkClassifier``, ``NetworkRegressor``: scikit-learn estimators.
  ``RuleClassifier`` and ``RuleRegressor`` also learn from bags of rows.
- ``learn``, ``load``, ``Model``: train from a data frame and the name of its target column, and open and
  save the same model files as the command line.
- ``cv``: cross-validate a learner on a data frame.
- ``read_table``: read a CSV file, a spreadsheet or another table file as a data frame.
- ``describe``: summarize a data frame. ``compare``: two models on the same data. ``monitor``: a model on new
  data, compared with its training data.
- ``Engine``: evaluate many expressions on one table.
- ``pellucid.logic``: class expressions over ontologies.
- ``pellucid.concepts``: formal concept analysis.
- ``pellucid.xcs``: classifier systems for reinforcement learning environments.
- ``pellucid.ray``: training and evaluation on several machines.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._native import __version__

if TYPE_CHECKING:
    from . import concepts, logic, xcs
    from ._alternatives import Alternative
    from ._analyses import Comparison, Monitoring, compare, monitor
    from ._cv import CrossValidation, cv
    from ._describe import Description, describe
    from ._engine import Engine
    from ._estimators import (
        NetworkClassifier,
        NetworkRegressor,
        RuleClassifier,
        RuleRegressor,
        XCSClassifier,
        XCSRegressor,
    )
    from ._explanation import Explanation
    from ._learn import learn
    from ._model import Model, load
    from ._read import read_table
    from ._report import Report
    from ._rules import Rule, RuleTable
    from ._tables import RecordTable

# The module of each name. Modules are imported on first use, so that the command starts quickly.
_HOMES = {
    "Alternative": "._alternatives",
    "Comparison": "._analyses",
    "Monitoring": "._analyses",
    "compare": "._analyses",
    "monitor": "._analyses",
    "CrossValidation": "._cv",
    "cv": "._cv",
    "Description": "._describe",
    "describe": "._describe",
    "Engine": "._engine",
    "NetworkClassifier": "._estimators",
    "NetworkRegressor": "._estimators",
    "RuleClassifier": "._estimators",
    "RuleRegressor": "._estimators",
    "XCSClassifier": "._estimators",
    "XCSRegressor": "._estimators",
    "Explanation": "._explanation",
    "RecordTable": "._tables",
    "Report": "._report",
    "Rule": "._rules",
    "RuleTable": "._rules",
    "Model": "._model",
    "learn": "._learn",
    "load": "._model",
    "read_table": "._read",
}
_MODULES = ("concepts", "logic", "xcs")

__all__ = [
    "Alternative",
    "Comparison",
    "CrossValidation",
    "Description",
    "Engine",
    "Explanation",
    "Model",
    "Monitoring",
    "NetworkClassifier",
    "NetworkRegressor",
    "RecordTable",
    "Report",
    "Rule",
    "RuleClassifier",
    "RuleRegressor",
    "RuleTable",
    "XCSClassifier",
    "XCSRegressor",
    "__version__",
    "compare",
    "concepts",
    "cv",
    "describe",
    "learn",
    "load",
    "logic",
    "monitor",
    "read_table",
    "xcs",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name], __name__), name)
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
