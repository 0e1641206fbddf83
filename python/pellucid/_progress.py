"""Progress as a terminal line, a notebook bar, or calls of a user function."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape
from typing import Any

Listener = Callable[[dict[str, Any]], object]


def listener(progress: bool | Listener | None) -> Listener | None:
    """Return the function that receives progress events, or None if progress is off."""
    if progress is None or progress is False:
        return None
    return Bar() if progress is True else progress


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running = shell.get_ipython()
    return running is not None and "IPKernelApp" in getattr(running, "config", {})


class Bar:
    """Progress bar for notebooks and terminals."""

    def __init__(self) -> None:
        self._display: Any = None
        self._notebook = _in_notebook()

    def __call__(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "warning":
            self._write(f"warning: {event['message']}\n")
        elif kind in ("step", "folds", "inner_folds"):
            unit = kind.replace("_", " ")
            done, total = event["step"], event.get("steps")
            line = f"{unit} {done}" + (f" of {total}" if total else "")
            values = event.get("values") or {}
            line += "".join(f", {name} {value:.4g}" for name, value in values.items() if value is not None)
            self._show(line, done / total if total else None)
        elif kind == "stopped":
            evaluated, seconds = event.get("evaluated"), event.get("seconds", 0)
            self._show(f"{event.get('stop')}: {evaluated} candidates evaluated in {seconds:.2f} s", 1.0)
            if not self._notebook:
                self._write("\n")

    def _show(self, line: str, share: float | None) -> None:
        if not self._notebook:
            if sys.stderr.isatty():
                self._write(f"\r\x1b[K{line[:110]}")
            return
        from IPython import display as notebook

        value = "" if share is None else f' value="{min(share, 1.0):.4f}"'
        bar: Any = notebook.HTML(  # type: ignore[no-untyped-call]
            f"<progress max=1{value}></progress> <code>{escape(line)}</code>"
        )
        if self._display is None:
            self._display = notebook.display(bar, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._display.update(bar)

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
