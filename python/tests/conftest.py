import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def examples():
    """The examples of the repository."""
    return ROOT / "examples"


@pytest.fixture(scope="session")
def command():
    """Runs the command of the package, and gives what it printed."""

    def run(*arguments, code=0):
        line = [sys.executable, "-m", "pellucid", *map(str, arguments)]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def visits():
    """A table of every kind of column, with missing cells, whose class depends on two of them."""
    import pandas

    draw = np.random.default_rng(7)
    rows = 240
    value = draw.normal(50, 12, rows).round(2)
    colour = draw.choice(["red", "green", "blue"], rows)
    ill = np.where((value > 52) & (colour != "blue"), "yes", "no")
    flipped = draw.random(rows) < 0.06
    ill[flipped] = np.where(ill[flipped] == "yes", "no", "yes")
    value[::17] = np.nan
    colours = colour.astype(object)
    colours[5::23] = None
    return pandas.DataFrame(
        {
            "value": value,
            "count": draw.integers(0, 9, rows),
            "colour": colours,
            "smoker": draw.random(rows) < 0.5,
            "seen": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(draw.integers(0, 400, rows), unit="D"),
            "ill": ill,
        }
    )


# Ray is an extra; the long tests have it.
collect_ignore = [] if "PELLUCID_FULL" in os.environ else ["test_ray.py"]
