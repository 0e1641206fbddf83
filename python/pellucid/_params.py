"""Parameters of learners as keyword arguments: their names, defaults and help are those of the learners' own table."""

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

# What the table calls `seed` is `random_state` here, as everywhere in scikit-learn.
_RENAMED = {"seed": "random_state"}

# What belongs to a run and not to a learner: the same for all of them.
RUN: dict[str, tuple[Any, str]] = {
    "n_jobs": (None, "Threads of the processor; all cores if None or -1"),
    "device": ("all", "Devices by the names that 'pellucid devices' lists, with commas between them, or 'all'"),
    "time_limit": (None, "Stop after so many seconds and keep the best so far"),
    "inner_folds": (
        None,
        "In how many folds it is found out how well such models do on new examples and how likely their decisions are; "
        "5 if None, 0 for not at all, which takes a fraction of the time",
    ),
    "checkpoint": (None, "Keep the state of the run in this file; a run that finds it there goes on from it"),
    "progress": (None, "True for a progress bar, or a function that is called with a dictionary a few times a second"),
}


@cache
def described(learner: str) -> dict[str, Any]:
    """What the registry says of a learner."""
    for told in learners():
        if told["name"] == learner:
            return dict(told)
    known = ", ".join(told["name"] for told in learners())
    raise ValueError(f"there is no learner '{learner}', there are: {known}")


def keyword(parameter: dict[str, Any]) -> str:
    """What a parameter is called in Python."""
    name: str = parameter["name"]
    return _RENAMED.get(name, name)


def default(parameter: dict[str, Any]) -> Any:
    """The default of a parameter; None where there is nothing to say."""
    if parameter["name"] == "seed" or isinstance(parameter["default"], (list, dict)):
        return None
    value = parameter["default"]
    return None if value == "" else value


def signature(learner: str) -> inspect.Signature:
    """The keyword arguments of a learner."""
    kind = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for parameter in described(learner)["parameters"]:
        own.append(inspect.Parameter(keyword(parameter), kind, default=default(parameter)))
    for name, (value, _) in RUN.items():
        own.append(inspect.Parameter(name, kind, default=value))
    return inspect.Signature(own)


def documentation(learner: str, summary: str) -> str:
    """A docstring with all parameters."""
    lines = [summary, "", "Parameters", "----------"]
    for parameter in described(learner)["parameters"]:
        told = parameter["default_text"] or "None"
        if parameter["name"] == "seed":
            told = f"{told}, the seed of the command line"
        kind = parameter["kind"]
        if parameter["choices"]:
            kind = "{" + ", ".join(repr(choice) for choice in parameter["choices"]) + "}"
        elif parameter["allowed"]:
            kind = f"{kind}, {parameter['allowed']}"
        lines.append(f"{keyword(parameter)} : {kind}, default {told}")
        told = parameter["help"]
        if parameter["modes"]:
            told += f" (mode {', '.join(parameter['modes'])})"
        lines += textwrap.wrap(told, 100, initial_indent="    ", subsequent_indent="    ")
    for name, (value, told) in RUN.items():
        lines.append(f"{name} : default {value!r}")
        lines += textwrap.wrap(told, 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


_Class = TypeVar("_Class", bound=type)


def keywords_of(learner: str) -> Callable[[_Class], _Class]:
    """Gives a class the keyword arguments and the documentation of a learner."""

    def decorate(cls: _Class) -> _Class:
        allowed = signature(learner)

        def __init__(self: Any, **settings: Any) -> None:
            for name in settings:
                if name not in allowed.parameters:
                    told = unknown(name, list(allowed.parameters)[1:])
                    raise TypeError(f"{cls.__name__}() got an unexpected keyword argument {told}")
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
    """The complaint about a keyword that there is not, with the one that may be meant."""
    meant = [_RENAMED[name]] if name in _RENAMED else get_close_matches(name, known, n=1)
    return f"{name!r}; did you mean {meant[0]!r}?" if meant else f"{name!r}; there are: {', '.join(known)}"


def checked(learner: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments of a run by their names here. ``seed`` is another name of ``random_state``.

    Raises ``ValueError`` for a name that neither the learner nor the run has.
    """
    chosen = dict(chosen)
    for other, name in _RENAMED.items():
        if other not in chosen:
            continue
        value = chosen.pop(other)
        if chosen.setdefault(name, value) is not value and chosen[name] != value:
            found = f"found {value!r} and {chosen[name]!r}"
            raise ValueError(f"{other} and {name} are two names of one parameter; {found}")
    known = [keyword(parameter) for parameter in described(learner)["parameters"]] + list(RUN)
    for name in chosen:
        if name not in known:
            raise ValueError(f"{learner} has no parameter {unknown(name, known)}")
    return chosen


def settings(learner: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """What was chosen otherwise than the default, by the names of the table."""
    told: dict[str, Any] = {}
    for parameter in described(learner)["parameters"]:
        name, value = parameter["name"], chosen.get(keyword(parameter))
        if name == "seed":
            if value is not None:
                told[name] = seed(value)
        elif value is not None and value != default(parameter):
            told[name] = list(value) if isinstance(value, (tuple, set, frozenset)) else value
    return told


def seed(random_state: Any) -> int:
    """A seed from what scikit-learn calls a random state."""
    if isinstance(random_state, Integral):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    raise ValueError(f"random_state: found {random_state!r}, an int or a random state was expected")


def run_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """The keyword arguments of a run, as the native layer takes them."""
    from ._progress import listener

    told = {name: chosen.get(name, value) for name, (value, _) in RUN.items()}
    if told["device"] in (None, "all"):
        told["device"] = None
    checkpoint = told["checkpoint"]
    told["resume"] = checkpoint is not None
    told["progress"] = listener(told["progress"])
    return told
