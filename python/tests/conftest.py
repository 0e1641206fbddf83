import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def examples():
    """The folder of example data."""
    return ROOT / "examples"


@pytest.fixture(scope="session")
def command():
    """Run the command of the package and return its output."""

    def run(*arguments, code=0):
        line = [sys.executable, "-m", "pellucid", *map(str, arguments)]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def visits():
    """A table with all types of columns and missing values, whose class depends on two columns."""
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
    count = draw.integers(0, 9, rows)
    smoker = draw.random(rows) < 0.5
    day = pandas.to_timedelta(draw.integers(0, 400, rows), unit="D")
    return pandas.DataFrame(
        {
            "value": value,
            "count": count,
            "colour": colours,
            "smoker": smoker,
            "seen": pandas.Timestamp("2024-01-01") + day,
            "ill": ill,
        }
    )


# Only the full tests have Ray, which is an optional dependency, and a server of PostgreSQL.
collect_ignore = [] if "PELLUCID_FULL" in os.environ else ["test_ray.py", "test_postgresql.py"]
