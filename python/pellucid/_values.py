"""Structured values of parameters, in the form that the learners read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np


def plain_settings(
    changed: dict[str, Any], columns: Sequence[str], label: Callable[[Any], str] = str
) -> dict[str, Any]:
    """Return settings with structured values as text. ``label`` returns the text of a class label."""
    plain = dict(changed)
    if "monotone" in plain:
        plain["monotone"] = directions(plain["monotone"], columns)
    if "decide" in plain:
        plain["decide"] = goal(plain["decide"], label)
    if "hypothesis" in plain:
        plain["hypothesis"] = covering(plain["hypothesis"])
    if isinstance(plain.get("class_weight"), Mapping):
        weights = plain["class_weight"].items()
        plain["class_weight"] = {label(name): float(weight) for name, weight in weights}
    return plain


def directions(value: Any, columns: Sequence[str]) -> Any:
    """Return monotonic constraints as ``column=+`` and ``column=-``."""
    if isinstance(value, str) or (len(value) and all(isinstance(one, str) for one in value)):
        if not isinstance(value, Mapping):
            return value
    if isinstance(value, Mapping):
        pairs = [(str(name), sign) for name, sign in value.items()]
    else:
        if len(value) != len(columns):
            found = f"found {len(value)} values; expected {len(columns)}, one per column"
            raise ValueError(f"monotonic_cst: {found}")
        pairs = list(zip(columns, np.asarray(value).tolist()))
    signs = {1: "+", -1: "-", "+": "+", "-": "-"}
    texts = []
    for name, sign in pairs:
        if sign in signs:
            texts.append(f"{name}={signs[sign]}")
        elif sign != 0:
            raise ValueError(f"monotonic_cst: found {sign!r} for column {name!r}; expected 1, 0 or -1")
    return texts


def goal(value: Any, label: Callable[[Any], str] = str) -> str:
    """Return the goal of the decision threshold as text."""
    expected = "'accuracy', 'balanced_accuracy', {'recall': share} or {'cost': {class: cost}}"
    if isinstance(value, str):
        return "balanced-accuracy" if value == "balanced_accuracy" else value
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError(f"decide: found {value!r}; expected {expected}")
    ((kind, amount),) = value.items()
    if kind == "recall":
        return f"recall={float(amount)!r}"
    if kind == "cost" and isinstance(amount, Mapping) and amount:
        texts = {label(name): float(cost) for name, cost in amount.items()}
        for name in texts:
            if "," in name:
                raise ValueError(f"decide: class {name!r} has a comma, which costs do not support")
        return "cost:" + ",".join(f"{name}={cost!r}" for name, cost in texts.items())
    raise ValueError(f"decide: found {value!r}; expected {expected}")


def covering(value: Any) -> str:
    """Return the number of rows of a bag that a rule must cover as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        ((kind, amount),) = value.items()
        if kind == "at_least" and isinstance(amount, Integral):
            return f"at-least={int(amount)}"
        if kind == "between" and len(amount) == 2:
            return f"between={int(amount[0])}..{int(amount[1])}"
    expected = "'auto', 'presence', {'at_least': n} or {'between': (a, b)}"
    raise ValueError(f"hypothesis: found {value!r}; expected {expected}")
