"""What is in a frame."""

from __future__ import annotations

from typing import Any

from . import _native
from ._frames import as_array, fill, is_frame


class Description:
    """What a frame holds, column by column: types, ranges, missing and odd cells, and what each column is probably for."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text = text
        #: The same for programs.
        self.data = data

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from ._html import preformatted

        return preformatted(self.text)


def describe(frame: Any, *, target: str | None = None, bag: str | None = None, name: str = "data") -> Description:
    """Describes a frame or an array as ``pellucid describe`` does a file."""
    table = _native.Table(name)
    fill(table, frame if is_frame(frame) else as_array(frame))
    return Description(*table.describe(target, bag))
