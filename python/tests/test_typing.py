"""The stubs match the package, and the package passes mypy."""

import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]


def run(*arguments):
    done = subprocess.run([sys.executable, *arguments], cwd=PYTHON, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy():
    run("-m", "mypy", "--config-file", "pyproject.toml")


def test_stubs_match():
    flags = ("--mypy-config-file", "pyproject.toml", "--allowlist", "tests/stubtest.txt")
    run("-m", "mypy.stubtest", "pellucid", *flags, "--ignore-unused-allowlist")


def test_constructors_of_the_estimators_are_up_to_date():
    run("tools/parameters.py", "--check")
