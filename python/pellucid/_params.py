"""Parameters of learners as keyword arguments.

Names, defaults and descriptions come from the parameter tables of the learners.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from numbers import Integral
from typing import Any, TypeVar

import numpy as np

from ._native import learners

# The parameter `seed` of the command line is called `random_state` in Python, as in scikit-learn.
_RENAMED = {"seed": "random_state"}

# Keyword arguments of a run: name, default, type and description. They are the same for all learners.
RUN: dict[str, tuple[Any, str, str]] = {
    "n_jobs": (None, "int", "Number of CPU threads. None and -1 use all cores."),
    "device": (
        "all",
        "str",
        "Devices to use, as listed by 'pellucid devices' and separated by commas. 'all' uses all devices.",
    ),
    "time_limit": (None, "float", "Stop after this many seconds and keep the best model so far."),
    "inner_folds": (
        None,
        "int",
        "Number of inner cross-validation folds, which estimate the held-out accuracy and calibrate the "
        "probabilities. None means 5. 0 skips both and takes a fraction of the time.",
    ),
    "checkpoint": (
        None,
        "str or path",
        "File in which the state of the run is saved. If it exists, the run continues from it.",
    ),
    "progress": (
        None,
        "bool or callable",
        "True shows a progress bar. A function is called with a dictionary a few times per second.",
    ),
}


@cache
def learner_info(learner: str) -> dict[str, Any]:
    """Return the registry entry of a learner: parameters, export forms and so on.

    Raises
    ------
    ValueError
        If the learner does not exist.
    """
    for entry in learners():
        if entry["name"] == learner:
            return dict(entry)
    known = ", ".join(entry["name"] for entry in learners())
    raise ValueError(f"unknown learner '{learner}'; expected one of {known}")


def keyword(parameter: dict[str, Any]) -> str:
    """Return the Python name of a parameter."""
    name: str = parameter["name"]
    return _RENAMED.get(name, name)


def default(parameter: dict[str, Any]) -> Any:
    """Return the default of a parameter, or None if the learner chooses it."""
    if parameter["name"] == "seed" or isinstance(parameter["default"], (list, dict)):
        return None
    value = parameter["default"]
    return None if value == "" else value


def signature(learner: str) -> inspect.Signature:
    """Return the constructor signature of the estimator of a learner."""
    kind = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for parameter in learner_info(learner)["parameters"]:
        own.append(inspect.Parameter(keyword(parameter), kind, default=default(parameter)))
    for name, (value, _, _) in RUN.items():
        own.append(inspect.Parameter(name, kind, default=value))
    return inspect.Signature(own)


def documentation(learner: str, text: str) -> str:
    """Return a class docstring with a Parameters section, placed before an Attributes section."""
    summary, attributes, rest = text.partition("\nAttributes\n")
    lines = [summary.rstrip(), "", "Parameters", "----------"]
    for parameter in learner_info(learner)["parameters"]:
        shown_default = parameter["default_text"] or "None"
        if parameter["name"] == "seed":
            shown_default += " (the seed of the command line)"
        kind = parameter["kind"]
        if parameter["choices"]:
            kind = "{" + ", ".join(repr(choice) for choice in parameter["choices"]) + "}"
        elif parameter["allowed"]:
            kind = f"{kind}, {parameter['allowed']}"
        lines.append(f"{keyword(parameter)} : {kind}, default={shown_default}")
        description = parameter["help"]
        if parameter["modes"]:
            description += f" (mode {', '.join(parameter['modes'])})"
        lines += _indent(description)
    for name, (value, kind, description) in RUN.items():
        lines.append(f"{name} : {kind}, default={value!r}")
        lines += _indent(description)
    return "\n".join(lines) + "\n" + attributes + rest.rstrip() + ("\n" if rest else "")


def _indent(description: str) -> list[str]:
    return textwrap.wrap(description, 100, initial_indent="    ", subsequent_indent="    ")


_Class = TypeVar("_Class", bound=type)


def keywords_of(learner: str) -> Callable[[_Class], _Class]:
    """Return a decorator that gives a class the parameters and the documentation of a learner."""

    def decorate(cls: _Class) -> _Class:
        allowed = signature(learner)

        def __init__(self: Any, **settings: Any) -> None:
            for name in settings:
                if name not in allowed.parameters:
                    found = unknown(name, list(allowed.parameters)[1:])
                    raise TypeError(f"{cls.__name__}() got an unexpected keyword argument {found}")
            bound = allowed.bind(self, **settings)
            bound.apply_defaults()
            for name, value in bound.arguments.items():
                if name != "self":
                    setattr(self, name, value)

        __init__.__signature__ = allowed  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__  # type: ignore[misc]
        cls.__doc__ = documentation(learner, inspect.cleandoc(cls.__doc__ or ""))
        return cls

    return decorate


def unknown(name: str, known: Iterable[str]) -> str:
    """Return an unknown keyword for an error message, with the closest known one or a list of all."""
    close = [_RENAMED[name]] if name in _RENAMED else get_close_matches(name, known, n=1)
    if close:
        return f"{name!r}; did you mean {close[0]!r}?"
    return f"{name!r}; expected one of {', '.join(known)}"


def check_keywords(learner: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """Return keyword arguments by their Python names. ``seed`` is an alias of ``random_state``.

    Raises
    ------
    ValueError
        If a name is neither a parameter of the learner nor one of the run, or if ``seed`` and
        ``random_state`` contradict each other.
    """
    chosen = dict(chosen)
    for alias, name in _RENAMED.items():
        if alias not in chosen:
            continue
        value = chosen.pop(alias)
        if chosen.setdefault(name, value) is not value and chosen[name] != value:
            found = f"found {value!r} and {chosen[name]!r}"
            raise ValueError(f"{alias} and {name} are two names of the same parameter; {found}")
    known = [keyword(parameter) for parameter in learner_info(learner)["parameters"]] + list(RUN)
    for name in chosen:
        if name not in known:
            raise ValueError(f"{learner} has no parameter {unknown(name, known)}")
    return chosen


def settings(learner: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that differ from their defaults, by their names in the learner's table."""
    changed: dict[str, Any] = {}
    for parameter in learner_info(learner)["parameters"]:
        name, value = parameter["name"], chosen.get(keyword(parameter))
        if name == "seed":
            if value is not None:
                changed[name] = seed(value)
        elif value is not None and value != default(parameter):
            changed[name] = list(value) if isinstance(value, (tuple, set, frozenset)) else value
    return changed


def seed(random_state: Any) -> int:
    """Return an integer seed for a scikit-learn random state."""
    if isinstance(random_state, Integral):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    raise ValueError(f"random_state: found {random_state!r}; expected an int or a NumPy random state")


def run_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a run in the form that the native module expects."""
    from ._progress import listener

    options = {name: chosen.get(name, value) for name, (value, _, _) in RUN.items()}
    if options["device"] in (None, "all"):
        options["device"] = None
    options["resume"] = options["checkpoint"] is not None
    options["progress"] = listener(options["progress"])
    return options
