"""Methods of estimators that show, save and export the fitted model."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from ._model import Model


class ModelMethods:
    """Methods of a fitted estimator that show, save and export its model."""

    model_: Model

    def show(self, rules: int | None = None) -> str:
        """Return the fitted model as readable text.

        Parameters
        ----------
        rules : int, default=None
            Approximate number of rules, for learners that keep models of several sizes. If None, the
            selected size is shown.

        Returns
        -------
        str
            The text.
        """
        check_is_fitted(self, "model_")
        return self.model_.show(rules)

    def save(self, path: Any) -> None:
        """Write the model file. The command line and :func:`pellucid.load` open it.

        Parameters
        ----------
        path : str or path
            The file to write.
        """
        check_is_fitted(self, "model_")
        self.model_.save(path)

    def to_json(self) -> str:
        """Return the content of the model file."""
        check_is_fitted(self, "model_")
        return self.model_.to_json()

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
        check_is_fitted(self, "model_")
        return self.model_.to_sql(table, view, dialect)

    def to_python(self) -> str:
        """Return a Python module that predicts and has no dependencies."""
        check_is_fitted(self, "model_")
        return self.model_.to_python()

    def to_html(self, part: bool = False) -> str:
        """Return the model as an HTML page, if the learner supports it.

        Parameters
        ----------
        part : bool, default=False
            Whether to return only the content, for embedding in another page.

        Returns
        -------
        str
            The HTML text.
        """
        check_is_fitted(self, "model_")
        return self.model_.to_html(part)

    def to_onnx(self) -> bytes:
        """Return the model in the ONNX format, if the learner supports it."""
        check_is_fitted(self, "model_")
        return self.model_.to_onnx()

    def __str__(self) -> str:
        return self.model_.show() if hasattr(self, "model_") else repr(self)

    def _repr_html_(self) -> str:
        if hasattr(self, "model_"):
            return self.model_._repr_html_()
        from ._html import preformatted

        return preformatted(repr(self))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}
