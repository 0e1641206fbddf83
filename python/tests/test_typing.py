"""The stubs match the package, and the package and the examples pass mypy."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat

PYTHON = Path(__file__).resolve().parents[1]
ROOT = PYTHON.parent


def run(*arguments):
    done = subprocess.run([sys.executable, *arguments], cwd=PYTHON, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def programs():
    """Return the Python programs of README, the stories and the notebooks, by name."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs/stories").glob("*.md"))]
    for page in pages:
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
        yield page.stem.lower(), "\n".join(blocks)
    for path in sorted((PYTHON / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        yield path.stem, "\n".join(cell.source for cell in cells if cell.cell_type == "code")


def test_mypy():
    run("-m", "mypy", "--config-file", "pyproject.toml")


def test_mypy_of_examples(tmp_path):
    files = []
    for name, program in programs():
        file = tmp_path / f"{name}.py"
        file.write_text(program)
        files.append(str(file))
    assert len(files) == 8
    run("-m", "mypy", "--config-file", "pyproject.toml", *files)


def test_stubs_match():
    flags = ("--mypy-config-file", "pyproject.toml", "--allowlist", "tests/stubtest.txt")
    run("-m", "mypy.stubtest", "pellucid", *flags, "--ignore-unused-allowlist")


def test_constructors_of_the_estimators_are_up_to_date():
    run("tools/parameters.py", "--check")
