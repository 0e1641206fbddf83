"""Reports: pages that notebooks show and that can be saved as one HTML file."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

# The page may run its script, save files and print. It has no access to the notebook around it.
_SANDBOX = "allow-scripts allow-downloads allow-modals"


class Report:
    """A report as one HTML page that works offline.

    Notebooks show the page. :meth:`save` writes it to a file.

    Attributes
    ----------
    html : str
        The page.
    """

    def __init__(self, html: str, title: str) -> None:
        self.html = html
        self._title = title

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file. An existing file is replaced.

        Parameters
        ----------
        path : str or path
            The file to write, such as ``"report.html"``.
        """
        Path(path).write_text(self.html, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        return f"<{self._title}: {len(self.html) / 1000:.0f} kB of HTML; save('report.html') writes it>"

    def _repr_html_(self, height: int = 720) -> str:
        style = f"width:100%;height:{height}px;border:1px solid #8884;box-sizing:border-box"
        return (
            f'<iframe title="{escape(self._title)}" sandbox="{_SANDBOX}" style="{style}" '
            f'srcdoc="{escape(self.html)}"></iframe>'
        )


def model_report(html: str, model: Any, path: str | os.PathLike[str] | None) -> Report:
    """Return the report of a model, after writing it to a file if a path is given."""
    report = Report(html, f"Report on {model.target!r}" if model.target else "Report")
    if path is not None:
        report.save(path)
    return report
