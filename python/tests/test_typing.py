"""The stubs say what the package has, and the package is typed."""

import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]


def run(*arguments):
    done = subprocess.run([sys.executable, *arguments], cwd=PYTHON, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy():
    run("-m", "mypy", "--config-file", "pyproject.toml")


def test_stubs_fit():
    run("-m", "mypy.stubtest", "pellucid", "--mypy-config-file", "pyproject.toml", "--allowlist", "tests/stubtest.txt", "--ignore-unused-allowlist")


def test_stubs_of_the_estimators_are_those_of_the_parameters():
    run("tools/stubs.py", "--check")
