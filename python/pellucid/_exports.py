"""A model as a file, a query, a program or a page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import Model as NativeModel


class ModelExports:
    """The methods of a model that write it."""

    _native: NativeModel

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model file. The command line opens it too.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        self._native.save(path)

    def export(self, form: str, table: str = "data", view: str | None = None) -> str | bytes:
        """Return the model in one of its :attr:`forms`.

        Parameters
        ----------
        form : str
            The name of the form, such as ``"sql"``.
        table : str, default="data"
            The table that an SQL query reads.
        view : str, default=None
            The name of the SQL view to create. If None, a plain query is written.

        Returns
        -------
        str or bytes
            The exported model. Binary forms are returned as bytes.
        """
        written = self._native.write(form, table, view)
        if form == "onnx":
            return written
        return written.decode()

    def _text(self, form: str, table: str = "data", view: str | None = None) -> str:
        return self._native.write(form, table, view).decode()

    def to_json(self) -> str:
        """Return the content of the model file."""
        return self._native.to_json()

    def to_sql(self, table: str = "data", view: str | None = None, dialect: str | None = None) -> str:
        """Return an SQL query that predicts in a database.

        Parameters
        ----------
        table : str, default="data"
            The table that the query reads.
        view : str, default=None
            The name of the view to create. If None, a plain query is returned.
        dialect : {"sqlite", "postgresql", "duckdb", "bigquery", "spark"}, default=None
            The dialect of SQL. If None, a query that SQLite, PostgreSQL and DuckDB run.

        Returns
        -------
        str
            The SQL text.
        """
        return self._native.write("sql", table, view, dialect=dialect).decode()

    def to_python(self) -> str:
        """Return a Python module that predicts and has no dependencies."""
        return self._text("python")

    def to_javascript(self) -> str:
        """Return a JavaScript module that predicts and has no dependencies."""
        return self._text("javascript")

    def to_formula(self, latex: bool = False) -> str:
        """Return a network as a formula to compute by hand.

        Parameters
        ----------
        latex : bool, default=False
            Whether to return LaTeX equations.

        Returns
        -------
        str
            The formula.
        """
        return self._text("latex" if latex else "formula")

    def to_html(self, part: bool = False) -> str:
        """Return the model as an HTML page.

        Parameters
        ----------
        part : bool, default=False
            Whether to return only the content, for embedding in another page.

        Returns
        -------
        str
            The HTML text.
        """
        return self._native.write("html", part=part).decode()

    def to_onnx(self) -> bytes:
        """Return the model in the ONNX format."""
        return self._native.write("onnx")
