"""Panics and device failures are ordinary exceptions and warnings in Python."""

import os
import subprocess
import sys

import numpy as np
import pytest

from pellucid import Engine, _native


@pytest.mark.parametrize("is_detached", [False, True])
def test_a_panic_is_an_ordinary_exception(is_detached, capfd):
    with pytest.raises(RuntimeError, match="internal error: simulated failure.*bug in pellucid") as raised:
        _native.simulate_panic(is_detached)
    assert isinstance(raised.value, Exception)
    capfd.readouterr()


FAILING = """
import warnings
import numpy as np
from pellucid import Engine

warnings.simplefilter({action!r})
X, y = np.arange(40.0).reshape(-1, 1), [0, 1] * 20
engine = Engine(X, y, device="cpu,cpu")
for number in range(20):
    counts = engine.evaluate([f"x1 > {{cut}}" for cut in range(40)])
print(counts.sum())
"""


@pytest.mark.parametrize("action", ["always", "error"])
def test_a_device_that_fails_is_a_warning_of_the_calling_thread(action):
    code = FAILING.format(action=action)
    failing = {**os.environ, "PELLUCID_FAULT": "cpu@2"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=failing)
    if action == "error":
        assert done.returncode == 1 and "RuntimeWarning" in done.stderr.splitlines()[-1]
    else:
        engine = Engine(np.arange(40.0).reshape(-1, 1), [0, 1] * 20)
        expected = engine.evaluate([f"x1 > {cut}" for cut in range(40)])
        assert done.returncode == 0 and int(done.stdout) == expected.sum()
        assert done.stderr.count("RuntimeWarning") == 1
