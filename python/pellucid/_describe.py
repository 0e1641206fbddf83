"""Summaries of data frames."""

from __future__ import annotations

from typing import Any

from . import _native
from ._frames import fill, table_rows
from ._tables import RecordTable


class Description:
    """Summary of a data frame, column by column.

    Lists the type, range, missing values and unusual values of each column, and its likely role.

    Attributes
    ----------
    text : str
        The summary as text, with notes about unusual values. ``print`` and notebooks show it.
    data : dict
        The same summary as JSON-like data.
    """

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text = text
        self.data = data

    def __repr__(self) -> str:
        return self.text

    def to_frame(self) -> Any:
        """Return the summary as a pandas data frame with one row per column of the data."""
        return RecordTable(self.data["columns"]).to_frame()

    def _repr_html_(self) -> str:
        from ._html import preformatted

        return preformatted(self.text)


def describe(
    frame: Any, *, target: str | None = None, bags: str | None = None, name: str = "data"
) -> Description:
    """Summarize a data frame or an array, as ``pellucid describe`` does for a file.

    Parameters
    ----------
    frame : data frame or array of shape (n_rows, n_columns)
        The data.
    target : str, default=None
        The target column. If None, it is guessed.
    bags : str, default=None
        The column that identifies the bag of each row. If None, it is guessed.
    name : str, default="data"
        The name of the data in the summary.

    Returns
    -------
    Description
        The summary, as text and as data.
    """
    table = _native.Table(name)
    fill(table, table_rows(frame))
    text, data = table.describe(target, bags)
    notes = "".join(f"\nnote: {note}" for note in data["notes"])
    return Description(text.rstrip("\n") + notes, data)
