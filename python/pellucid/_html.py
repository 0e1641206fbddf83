"""Models in notebooks: what the learner makes a page of, and what is known of the run."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._model import Model


def preformatted(text: str) -> str:
    """A text as it is."""
    return f'<pre style="white-space:pre-wrap">{escape(text)}</pre>'


def model_page(model: Model) -> str:
    """A model as a notebook shows it: the page of its learner, where it has one, and how well it did."""
    if "html" not in model.forms:
        return preformatted(model.show())
    return model.to_html(part=True) + _judged(model)


def _judged(model: Model) -> str:
    """How well it does on examples that were held out, where that is known."""
    held_out = model.run.get("held_out") or {}
    accuracy = held_out.get("accuracy")
    if not isinstance(accuracy, dict):
        return ""
    value, low, high = (accuracy.get(name) for name in ("value", "low", "high"))
    if value is None:
        return ""
    told = f"accuracy on examples held out: {value:.3f}"
    if low is not None and high is not None:
        told += f" ({low:.3f} to {high:.3f})"
    trivial = accuracy.get("trivial")
    if trivial is not None:
        told += f"; always the most common class: {trivial:.3f}"
    return f"<p><small>{told}</small></p>"
