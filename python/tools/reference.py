"""Write the Python reference of the guide from the docstrings of the package: reference.py FILE."""

import importlib
import inspect
import re
import sys
from pathlib import Path

# The modules of the page, and what each of them is for.
MODULES = {
    "pellucid": "Estimators, models and tables.",
    "pellucid.logic": "Class expressions over ontologies.",
    "pellucid.concepts": "Formal concept analysis.",
    "pellucid.xcs": "Classifier systems for environments with rewards.",
}
HEAD = """# Python reference

Every public class and function, with its parameters. The [guide to Python](python.md) shows how they are
used, and `help(pellucid.RuleClassifier)` prints the same text. `pellucid.ray` is described in the
[guide](python.md#several-machines).
"""
# Code in reStructuredText, but not the fence of a code block.
DOUBLE = re.compile(r"(?<!`)``(?!`)")
TITLE = re.compile(r"^(.+)\n-{3,}$", re.MULTILINE)


def described(text):
    """Return a docstring in numpydoc form as Markdown."""
    parts = TITLE.split(inspect.cleandoc(text))
    lines = [parts[0].strip(), ""]
    for title, body in zip(parts[1::2], parts[2::2]):
        inside = ["```python", body.strip(), "```"] if title == "Examples" else entries(body)
        lines += [f"*{title}*", "", *inside, ""]
    # References of Sphinx become code.
    return DOUBLE.sub("`", re.sub(r":\w+:`~?([^`]+)`", r"`\1`", "\n".join(lines))).strip() + "\n"


def entries(body):
    """Return the entries of a section as list items: a name or a type, and its indented description."""
    items = []
    for line in body.strip().splitlines():
        if line and not line.startswith(" "):
            name, colon, kind = line.partition(" : ")
            items.append(f"- `{name}`" + (f" ({kind})" if colon else "") + ":")
        elif line.strip():
            items[-1] += " " + line.strip()
    return [item.removesuffix(":") for item in items]


def names(module):
    """Return the public classes and functions of a module."""
    listed = getattr(module, "__all__", vars(module))
    found = [name for name in listed if not name.startswith("_")]
    return [name for name in found if is_public(module, getattr(module, name))]


def is_public(module, value):
    """Return whether a value is a class or a function of a module, and not one that the module imports."""
    is_here = hasattr(module, "__all__") or getattr(value, "__module__", "") == module.__name__
    return is_here and (inspect.isclass(value) or inspect.isfunction(value))


def members(cls):
    """Return the public methods and properties of a class that have a docstring of the package."""
    found = {}
    for name, value in inspect.getmembers(cls):
        if name.startswith("_") or name.startswith("set_") or not own(value):
            continue
        found[name] = value
    return found


def own(value):
    """Return whether a member is documented in the package, not inherited from another one."""
    inner = getattr(value, "fget", None) or inspect.unwrap(getattr(value, "fn", value))
    return bool(inspect.getdoc(value)) and str(getattr(inner, "__module__", "")).startswith("pellucid")


def signature(name, value):
    """Return a call with the names of its parameters; types and defaults are in the list below it."""
    try:
        inside = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return name
    words, is_keyword = [], False
    for one in inside:
        if one.name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            words.append("*")
        is_keyword = is_keyword or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        words.append({one.VAR_KEYWORD: "**", one.VAR_POSITIONAL: "*"}.get(one.kind, "") + one.name)
    return f"{name}({', '.join(words)})"


def section(module, name, value):
    """Return the section of a class or function."""
    is_class = inspect.isclass(value)
    is_long = is_class and signature(name, value).count(",") > 8
    title = f"{name}(…)" if is_long else signature(name, value)
    lines = [f"### `{module}.{title}`", "", described(inspect.getdoc(value))]
    for method, inner in members(value).items() if is_class else ():
        shown = method if isinstance(inner, property) else signature(method, inner)
        lines += [f"#### `{name}.{shown}`", "", described(inspect.getdoc(inner))]
    return "\n".join(lines)


def text():
    """Return the page."""
    parts = [HEAD]
    for name, purpose in MODULES.items():
        module = importlib.import_module(name)
        parts.append(f"## {name}\n\n{purpose}\n")
        for public in sorted(names(module), key=str.lower):
            parts.append(section(name, public, getattr(module, public)))
    return "\n".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
