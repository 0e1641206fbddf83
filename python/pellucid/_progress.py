"""Progress: a line on a terminal, a bar in a notebook, or a function of one's own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape
from typing import Any

Listener = Callable[[dict[str, Any]], object]


def listener(progress: bool | Listener | None) -> Listener | None:
    """Who is told of progress."""
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
    """Shows how far a run is, where it is shown at all."""

    def __init__(self) -> None:
        self._shown: Any = None
        self._notebook = _in_notebook()

    def __call__(self, news: dict[str, Any]) -> None:
        event = news["event"]
        if event == "warning":
            self._write(f"warning: {news['message']}\n")
        elif event in ("step", "inner_folds"):
            what = "inner folds" if event == "inner_folds" else "step"
            done, total = news["step"], news.get("steps")
            told = f"{what} {done}" + (f" of {total}" if total else "")
            values = news.get("values") or {}
            told += "".join(f", {name} {value:.4g}" for name, value in values.items() if value is not None)
            self._show(told, done / total if total else None)
        elif event == "stopped":
            self._show(f"{news.get('stop')}: {news.get('evaluated')} tried in {news.get('seconds', 0):.2f} s", 1.0)
            if not self._notebook:
                self._write("\n")

    def _show(self, told: str, share: float | None) -> None:
        if not self._notebook:
            if sys.stderr.isatty():
                self._write(f"\r\x1b[K{told[:110]}")
            return
        from IPython import display as notebook

        value = "" if share is None else f' value="{min(share, 1.0):.4f}"'
        bar: Any = notebook.HTML(  # type: ignore[no-untyped-call]
            f"<progress max=1{value}></progress> <code>{escape(told)}</code>"
        )
        if self._shown is None:
            self._shown = notebook.display(bar, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._shown.update(bar)

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
