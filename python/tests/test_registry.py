"""Every learner of tables has an estimator."""

import inspect

import pellucid
from pellucid import _native

ESTIMATORS = [
    value
    for name in pellucid.__all__
    if inspect.isclass(value := getattr(pellucid, name)) and hasattr(value, "_learner")
]


def test_every_learner_of_tables_has_an_estimator():
    tables = {entry["name"] for entry in _native.learners() if entry["kind"] == "example"}
    assert tables
    assert {estimator._learner for estimator in ESTIMATORS} >= tables
