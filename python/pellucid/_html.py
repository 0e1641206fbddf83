"""Models in notebooks: rules as a table with bars for what they cover, and how accuracy grows with the number of rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._model import Model

# Colours that can be told apart in print, in the dark, and by people who see few of them.
_COLOURS = ("#4878a8", "#d1703c", "#5a9c68", "#a05a8c", "#b8a038", "#6a6ab0", "#8c6a50", "#4aa0a0")

_STYLE = (
    "<style>.pellucid td,.pellucid th{text-align:left;vertical-align:top;padding:2px 10px 2px 0}"
    ".pellucid .n{text-align:right;font-variant-numeric:tabular-nums}"
    ".pellucid .bar{display:inline-block;height:.75em}"
    ".pellucid small{opacity:.7}</style>"
)


def preformatted(text: str) -> str:
    """A text as it is."""
    return f'<pre style="white-space:pre-wrap">{escape(text)}</pre>'


def model_page(model: Model) -> str:
    """A model as a notebook shows it."""
    body = json.loads(model.to_json())["model"]
    rules = _rule_set(body)
    if rules is None:
        return preformatted(model.show())
    parts = [_STYLE, '<div class="pellucid">', _heading(model), _rule_table(rules, model.classes)]
    path = rules.get("path")
    if path:
        parts.append(path_picture(path))
    parts.append(_judged(model))
    parts.append("</div>")
    return "".join(parts)


def _rule_set(body: Any) -> dict[str, Any] | None:
    """The rules of a model, where it has rules that vote."""
    if not isinstance(body, dict):
        return None
    if isinstance(body.get("rules"), list) and "base" in body:
        return body
    for inner in body.values():
        if isinstance(inner, dict) and isinstance(inner.get("rules"), list) and "base" in inner:
            return inner
    return None


def _heading(model: Model) -> str:
    what = f"<b>{escape(model.target or 'class')}</b>"
    if model.bag:
        what += f" of each bag (<b>{escape(model.bag)}</b>)"
    count = len(model.columns)
    told = "a number" if model.is_number else f"classes: {escape(', '.join(model.classes))}"
    return f"<p>{what} from {count} column{'' if count == 1 else 's'}; {told}</p>"


def _rule_table(rules: dict[str, Any], classes: Sequence[str]) -> str:
    examples = rules.get("examples") or []
    rows: list[tuple[str | None, int, float, list[int] | None]] = []
    for place, votes in enumerate(rules["base"]):
        if votes:
            rows.append((None, place, votes, None))
    rows += [(rule["when"], rule["class"], rule["votes"], rule.get("covered")) for rule in rules["rules"]]
    most = max((sum(covered) for *_, covered in rows if covered), default=1) or 1
    heading = "votes" if classes else ""
    lines = [f"<table><tr><th></th><th>IF</th><th>THEN</th><th class=n>{heading}</th><th>covers</th></tr>"]
    number = 0
    for when, place, votes, covered in rows:
        number += when is not None
        shown = "<small>to begin with</small>" if when is None else f"<code>{escape(_spoken(when))}</code>"
        lines.append(
            f"<tr><td class=n><small>{number if when is not None else ''}</small></td><td>{shown}</td>"
            f"<td>{escape(classes[place]) if classes else 'add'}</td><td class=n>{votes:.4g}</td><td>{_bar(covered, most, classes)}"
            f"<small>{_counts(covered, examples, classes)}</small></td></tr>"
        )
    lines.append("</table>")
    return "".join(lines)


def _spoken(when: str) -> str:
    """A condition on a bag as it is told."""
    if when.startswith("some row (") and when.endswith(")"):
        return "some row has " + when[len("some row (") : -1]
    return when


def _bar(covered: Sequence[int] | None, most: int, classes: Sequence[str]) -> str:
    """What a rule covers, class by class, beside the rule that covers most."""
    if not covered:
        return ""
    parts = []
    for place, count in enumerate(covered):
        if count:
            width = max(90.0 * count / most, 1.0)
            title = escape(f"{count} of {classes[place]}" if classes else f"{count}", quote=True)
            colour = _COLOURS[place % len(_COLOURS)]
            parts.append(f'<span class=bar title="{title}" style="width:{width:.0f}px;background:{colour}"></span>')
    return "".join(parts) + " "


def _counts(covered: Sequence[int] | None, examples: Sequence[int], classes: Sequence[str]) -> str:
    if not covered:
        return ""
    told = []
    for place, count in enumerate(covered):
        whole = f" of {examples[place]}" if len(examples) == len(covered) else ""
        told.append(f"{count}{whole} {escape(classes[place])}" if classes else f"{count}{whole}")
    return ", ".join(told)


def path_picture(path: dict[str, Any]) -> str:
    """The path from few rules to many: how many examples such models get right that they have not seen."""
    points = [(len(stop["votes"]), stop["accuracy"]) for stop in path["stops"] if stop.get("accuracy") is not None]
    if len(points) < 2:
        return ""
    told = path.get("told", 0)
    chosen = path["stops"][told] if told < len(path["stops"]) else None
    width, height, left, bottom, top = 420, 150, 46, 26, 10
    most = max(rules for rules, _ in points) or 1
    low, high = min(share for _, share in points), max(share for _, share in points)
    if high - low < 0.01:
        low, high = low - 0.005, high + 0.005

    def at(rules: float, share: float) -> tuple[float, float]:
        x = left + (width - left - 12) * rules / most
        y = top + (height - top - bottom) * (high - share) / (high - low)
        return round(x, 1), round(y, 1)

    line = " ".join(f"{x},{y}" for x, y in (at(*point) for point in points))
    dots = []
    for rules, share in points:
        x, y = at(rules, share)
        is_told = chosen is not None and rules == len(chosen["votes"])
        title = f"{rules} rules: {100 * share:.1f} % of examples right that had not been seen"
        dots.append(
            f'<circle cx="{x}" cy="{y}" r="{5 if is_told else 3}" fill="{_COLOURS[1] if is_told else _COLOURS[0]}">'
            f"<title>{title}</title></circle>"
        )
    labels = "".join(
        f'<text x="{left - 6}" y="{at(0, share)[1] + 4}" text-anchor="end">{100 * share:.1f} %</text>'
        for share in (low, high)
    )
    labels += f'<text x="{at(most, low)[0]}" y="{height - 8}" text-anchor="end">{most} rules</text>'
    labels += f'<text x="{left}" y="{height - 8}">0</text>'
    return (
        f'<p><small>rules &rarr; accuracy on examples not seen</small><br><svg width="{width}" height="{height}" '
        f'role="img" aria-label="accuracy by number of rules" font-size="11" fill="currentColor" '
        f'font-family="sans-serif"><polyline points="{line}" fill="none" stroke="{_COLOURS[0]}" stroke-width="1.5"/>'
        f"{''.join(dots)}{labels}</svg></p>"
    )


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
