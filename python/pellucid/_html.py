"""HTML representations for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._model import Model


# The height of a small report, in pixels.
_SMALL = 420


def preformatted(text: str) -> str:
    """Return text as an HTML block that keeps its line breaks."""
    # Notebooks may have another font for such blocks, in which columns would not line up.
    return f'<pre style="white-space:pre-wrap;font-family:monospace">{escape(text)}</pre>'


def model_page(model: Model) -> str:
    """Return a model as HTML, followed by its held-out accuracy.

    Networks and class expressions, which have no HTML form of their own, are shown as a small report.
    """
    if "html" not in model.forms:
        return model.report()._repr_html_(height=_SMALL)
    return model.to_html(part=True) + _held_out_accuracy(model)


def _held_out_accuracy(model: Model) -> str:
    """Return a line with the held-out accuracy and its baseline, or "" if the accuracy is unknown."""
    held_out = model.run.get("held_out") or {}
    accuracy = held_out.get("accuracy")
    if not isinstance(accuracy, dict):
        return ""
    value, low, high = (accuracy.get(name) for name in ("value", "low", "high"))
    if value is None:
        return ""
    line = f"Held-out accuracy {value:.3f}"
    if low is not None and high is not None:
        line += f" ({low:.3f} to {high:.3f})"
    baseline = accuracy.get("trivial")
    if baseline is not None:
        line += f"; baseline (always the most common class) {baseline:.3f}"
    return f"<p><small>{line}.</small></p>"
