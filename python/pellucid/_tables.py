"""Tables of records that pandas can read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Generic, TypeVar, overload

_Record = TypeVar("_Record", bound=Mapping[str, Any])


class RecordTable(Sequence[_Record], Generic[_Record]):
    """A list of records with the same keys, which ``to_frame()`` returns as a data frame."""

    def __init__(self, records: Iterable[_Record]) -> None:
        self._records = list(records)

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> _Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[_Record]: ...
    def __getitem__(self, index: int | slice) -> _Record | list[_Record]:
        return self._records[index]

    def columns(self) -> dict[str, list[Any]]:
        """Return the values of each column."""
        names = list(dict.fromkeys(name for record in self._records for name in record))
        return {name: [record.get(name) for record in self._records] for name in names}

    def to_frame(self) -> Any:
        """Return the table as a pandas data frame."""
        return frame_of(self.columns())

    def __repr__(self) -> str:
        return text_table(self.columns())

    def _repr_html_(self) -> str:
        return html_table(self.columns())


def frame_of(columns: Mapping[str, Sequence[Any]]) -> Any:
    """Return columns as a pandas data frame."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas; install it with 'pip install pandas'") from None
    return pandas.DataFrame(dict(columns))


def text_table(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return columns as aligned text."""
    cells = [[name, *map(_shown, values)] for name, values in columns.items()]
    widths = [max(map(len, column)) for column in cells]
    lines = zip(*cells)
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def html_table(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return columns as an HTML table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = zip(*(map(_shown, values) for values in columns.values()))
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)
