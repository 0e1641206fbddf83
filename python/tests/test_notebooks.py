"""The notebooks run from top to bottom, and what they show is right."""

from inspect import cleandoc
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
# A cell that is added to each notebook. Notebooks show results and do not check them.
CHECKS = {
    "trains": """
        assert (predicted == actual).all() and again.predict(bags).tolist() == predicted.tolist()
        assert len(list(context.concepts())) == context.count() == len(context.lattice())
        assert len(concepts) == context.count(min_support=6) > 1
        """,
    "tumours": """
        assert estimate["low"] - 0.05 < model.score(X_test, y_test) < estimate["high"] + 0.05
        assert missed.sum() <= before.sum()
        """,
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    book = nbformat.read(path, as_version=4)
    assert all("assert" not in cell.source for cell in book.cells)
    book.cells.append(nbformat.v4.new_code_cell(cleandoc(CHECKS[path.stem])))
    NotebookClient(book, timeout=600, resources={"metadata": {"path": path.parent}}).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in shown)


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 2
