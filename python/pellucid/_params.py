"""Parameters of learners as keyword arguments.

Names, defaults and descriptions come from the parameter tables of the learners.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache, wraps
from numbers import Integral
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ._jobs import thread_count
from ._native import learners, renamed_parameters

# Parameters that have another name on the command line, such as `seed` for `random_state`.
_RENAMED = renamed_parameters()

# The modes of rules that predict numbers.
_MODES_FOR_NUMBERS = ("default", "list")
# Parameters that only one kind of task uses.
_ONLY_FOR = {"class_weight": "classes", "decide": "classes", "loss": "number"}

# Parameters of a learner that do not apply to numbers: the search of networks ranks rows of two classes,
# and a population predicts a number by a weighted mean, not by a sum.
_NOT_FOR_NUMBERS = {
    "xcs": {"mode", "keep_all"},
    "network": {"mode", "metric", "top", "top_rows", "search", "population", "generations", "patience"}
}

# Keyword arguments of a run: name, default, type and description. They are the same for all learners.
RUN: dict[str, tuple[Any, str, str]] = {
    "n_jobs": (
        None,
        "int",
        "Number of CPU threads. None means 1 unless in a joblib.parallel_config context. -1 uses all cores.",
    ),
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
        "File in which the state of the run is saved. If it exists, the run continues from it. If it is a "
        "folder, each training set has its own file in it, as cross-validation needs.",
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


def parameters(learner: str, task: str | None = None) -> list[dict[str, Any]]:
    """Return the parameters of a learner, without those that only the other kind of task uses."""
    kept = []
    for parameter in learner_info(learner)["parameters"]:
        if task is not None and _ONLY_FOR.get(parameter["name"], task) != task:
            continue
        modes = parameter["modes"]
        if task == "number":
            if parameter["name"] in _NOT_FOR_NUMBERS.get(learner, ()):
                continue
            if modes and not set(modes) & set(_MODES_FOR_NUMBERS):
                continue
            if parameter["name"] == "mode":
                choices = [mode for mode in parameter["choices"] if mode in _MODES_FOR_NUMBERS]
                parameter = {**parameter, "choices": choices}
        kept.append(parameter)
    return kept


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


def documentation(learner: str, text: str, task: str | None = None) -> str:
    """Return a class docstring with a Parameters section, placed before an Attributes section."""
    summary, attributes, rest = text.partition("\nAttributes\n")
    lines = [summary.rstrip(), "", "Parameters", "----------"]
    for parameter in parameters(learner, task):
        shown_default = parameter["default_text"] or "None"
        if parameter["name"] == "seed":
            shown_default += " (the seed of the command line)"
        name = keyword(parameter)
        lines.append(f"{name} : {_kind(parameter)}, default={shown_default}")
        description, modes = parameter["help"], parameter["modes"]
        has_modes = "mode" not in _NOT_FOR_NUMBERS.get(learner, ())
        applies_always = task == "number" and (
            not has_modes or set(modes or ()) == set(_MODES_FOR_NUMBERS)
        )
        if modes and not applies_always:
            description += f" (mode {', '.join(modes)})"
        lines += _indent(description)
    for name, (value, kind, description) in RUN.items():
        lines.append(f"{name} : {kind}, default={value!r}")
        lines += _indent(description)
    return "\n".join(lines) + "\n" + attributes + rest.rstrip() + ("\n" if rest else "")


# Parameters with a structured value: how their types are described.
_KINDS = {
    "monotonic_cst": "dict from column to 1 or -1, or array of 1, 0 and -1 with one value per column",
    "decide": "{'accuracy', 'balanced_accuracy'}, {'recall': share} or {'cost': {class: cost}}",
    "hypothesis": "{'auto', 'presence'}, {'at_least': n} or {'between': (a, b)}",
    "class_weight": "'balanced' or dict from class to weight",
}


def _kind(parameter: dict[str, Any]) -> str:
    """Return the type of a parameter for the documentation."""
    if keyword(parameter) in _KINDS:
        return _KINDS[keyword(parameter)]
    if parameter["choices"]:
        return "{" + ", ".join(repr(choice) for choice in parameter["choices"]) + "}"
    kind: str = parameter["kind"]
    return f"{kind}, {parameter['allowed']}" if parameter["allowed"] else kind


def _indent(description: str) -> list[str]:
    return textwrap.wrap(description, 100, initial_indent="    ", subsequent_indent="    ")


_Class = TypeVar("_Class", bound=type)
_Arguments = ParamSpec("_Arguments")


def documented(learner: str, task: str | None = None) -> Callable[[_Class], _Class]:
    """Return a decorator that documents the parameters of a learner in a class."""

    def decorate(cls: _Class) -> _Class:
        cls.__doc__ = documentation(learner, inspect.cleandoc(cls.__doc__ or ""), task)
        return cls

    return decorate


def checks_names(init: Callable[_Arguments, None]) -> Callable[_Arguments, None]:
    """Return a constructor whose error about an unknown keyword names the known one."""
    known = [name for name in inspect.signature(init).parameters if name != "self"]

    @wraps(init)
    def __init__(*values: _Arguments.args, **keywords: _Arguments.kwargs) -> None:
        for name in keywords:
            if name not in known:
                cls = type(values[0]).__name__
                raise TypeError(f"{cls}() got an unexpected keyword argument {unknown(name, known)}")
        init(*values, **keywords)

    return __init__


def unknown(name: str, known: Iterable[str]) -> str:
    """Return an unknown keyword for an error message, with the known one that it resembles."""
    known = list(known)
    if _RENAMED.get(name) in known:
        # `seed` is the name on the command line. The others are names of an earlier version.
        new = _RENAMED[name]
        return f"{name!r}; did you mean {new!r}?" if name == "seed" else f"{name!r}; it is now called {new!r}"
    task = _ONLY_FOR.get(name)
    if task is not None:
        return f"{name!r}; it is a parameter of " + ("classifiers" if task == "classes" else "regressors")
    close = get_close_matches(name, known, n=1)
    if close:
        return f"{name!r}; did you mean {close[0]!r}?"
    return f"{name!r}; expected one of {', '.join(known)}"


def refuse_old_names(function: str, given: Iterable[str], new_names: dict[str, str]) -> None:
    """Raise TypeError if a keyword of an earlier version is used."""
    for name in given:
        if name in new_names:
            found = f"{name!r}; it is now called {new_names[name]!r}"
            raise TypeError(f"{function}() got an unexpected keyword argument {found}")


_Result = TypeVar("_Result")


def refuses(
    **new_names: str,
) -> Callable[[Callable[_Arguments, _Result]], Callable[_Arguments, _Result]]:
    """Return a decorator for methods whose keywords had other names in an earlier version."""

    def decorate(method: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
        @wraps(method)
        def checked(*values: _Arguments.args, **keywords: _Arguments.kwargs) -> _Result:
            name = method.__qualname__.removesuffix(".__init__")
            refuse_old_names(name, keywords, new_names)
            return method(*values, **keywords)

        return checked

    return decorate


def check_keywords(learner: str, chosen: dict[str, Any], function: str = "learn") -> dict[str, Any]:
    """Return keyword arguments by their Python names. ``seed`` is an alias of ``random_state``.

    Raises
    ------
    TypeError
        If a name is that of an earlier version.
    ValueError
        If a name is neither a parameter of the learner nor one of the run, or if ``seed`` and
        ``random_state`` contradict each other.
    """
    chosen = dict(chosen)
    if "seed" in chosen:
        value = chosen.pop("seed")
        if chosen.setdefault("random_state", value) is not value and chosen["random_state"] != value:
            found = f"found {value!r} and {chosen['random_state']!r}"
            raise ValueError(f"seed and random_state are two names of the same parameter; {found}")
    refuse_old_names(function, chosen, _RENAMED)
    known = [keyword(parameter) for parameter in parameters(learner)] + list(RUN)
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
        elif value is not None and not (np.ndim(value) == 0 and value == default(parameter)):
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
    options["n_jobs"] = thread_count(options["n_jobs"])
    options["resume"] = options["checkpoint"] is not None
    options["earlier"] = None
    options["alternatives"] = 0
    options["progress"] = listener(options["progress"])
    return options
