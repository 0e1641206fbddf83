"""Ctrl-C stops a run at once, and other Python threads run during training."""

import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from pellucid import RuleClassifier

CHILD = """
import numpy
from pellucid import RuleClassifier, XCSClassifier
draw = numpy.random.default_rng(0)
X = draw.random((2000, 20))
y = draw.integers(0, 2, 2000)
def on_progress(event):
    if event["event"] == "step":
        print("going", flush=True)
try:
    {model}(progress=on_progress, inner_folds=0, **{chosen}).fit(X, y)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""

LONG = {
    "RuleClassifier": {"mode": "g3p-mi", "generations": 1_000_000_000},
    "XCSClassifier": {"iterations": 1_000_000_000_000},
}


@pytest.mark.parametrize("model", LONG)
def test_ctrl_c(model):
    code = CHILD.format(model=model, chosen=LONG[model])
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "going\n"
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert rest.splitlines()[-1] == "stopped" and child.returncode == 0


class Enough(Exception):
    pass


def test_other_threads_run_and_exceptions_of_a_listener_are_raised():
    draw = np.random.default_rng(0)
    X, y = draw.random((2000, 20)), draw.integers(0, 2, 2000)
    going, seen = threading.Event(), threading.Event()

    def other():
        going.wait()
        seen.set()

    def on_progress(event):
        going.set()
        # Only the other thread can set this, and only while training does not hold the lock.
        if seen.is_set():
            raise Enough

    thread = threading.Thread(target=other)
    thread.start()
    with pytest.raises(Enough):
        chosen = {"mode": "g3p-mi", "generations": 1_000_000_000, "inner_folds": 0}
        RuleClassifier(progress=on_progress, **chosen).fit(X, y)
    thread.join()
