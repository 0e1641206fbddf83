"""Methods of estimators that show, save and export the fitted model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _native
from ._exports import ModelExports
from ._jobs import thread_count
from ._model import Model
from ._report import Report, model_report


class ModelMethods:
    """Methods of a fitted estimator that show, save and export its model."""

    model_: Model
    n_jobs: int | None
    device: str
    _labeled: Any

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
        check_is_fitted(self, "model_")
        return self.model_.to_sql(table, view, dialect)

    to_sql.__doc__ = ModelExports.to_sql.__doc__

    def to_python(self) -> str:
        """Return a Python module that predicts and has no dependencies."""
        check_is_fitted(self, "model_")
        return self.model_.to_python()

    def to_javascript(self) -> str:
        """Return a JavaScript module that predicts and has no dependencies."""
        check_is_fitted(self, "model_")
        return self.model_.to_javascript()

    def to_formula(self, latex: bool = False) -> str:
        """Return the model as a formula to compute by hand, if the learner supports it.

        Parameters
        ----------
        latex : bool, default=False
            Whether to return LaTeX equations.

        Returns
        -------
        str
            The formula.
        """
        check_is_fitted(self, "model_")
        return self.model_.to_formula(latex)

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

    def report(
        self,
        X: Any = None,
        y: Any = None,
        *,
        bags: Any = None,
        path: str | os.PathLike[str] | None = None,
        fixed: Sequence[str] | None = None,
        by: str | None = None,
    ) -> Report:
        """Return a report on the fitted model: one page that predicts and explains offline.

        Parameters
        ----------
        X : data frame, array of shape (n_rows, n_columns) or list of bags, default=None
            The examples to evaluate the model on. If None, the report shows the held-out figures of the
            training run. An unpickled estimator does not have them.
        y : array of shape (n_examples,), default=None
            The actual class or number of each example in X. Without it, the report describes the data but
            has no figures.
        bags : array of shape (n_rows,), default=None
            The bag of each row, for a model that was trained on bags.
        path : str or path, default=None
            A file to write the page to.
        fixed : sequence of str, default=None
            Columns that cannot be changed, such as age. Suggested changes leave them as they are.
        by : str, default=None
            A column of X whose values form groups. The figures are shown for each group.

        Returns
        -------
        Report
            The page. Notebooks show it.
        """
        check_is_fitted(self, "model_")
        table = None if X is None else self._labeled(X, y, bags)
        native, jobs = self.model_._native, thread_count(self.n_jobs)
        device = None if self.device in (None, "all") else self.device
        html = _native.report_model(native, table, list(fixed or []), by, jobs, device)
        return model_report(html, self.model_, path)

    def __str__(self) -> str:
        return self.model_.show() if hasattr(self, "model_") else repr(self)

    def _repr_html_(self) -> str:
        if hasattr(self, "model_"):
            return self.model_._repr_html_()
        from ._html import preformatted

        return preformatted(repr(self))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}
