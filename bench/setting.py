"""Helpers for all comparisons: paths, the machine, installation of peers, and results.

Each script has a flag `--quick` for the gate: tiny inputs, one round, a few seconds in total. It checks
that the comparison runs and that the results agree, and measures nothing. It does not change
bench/results, and reports and skips peers that are not installed.
"""

import argparse
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parent
PELLUCID = ROOT / "target" / "release" / "pellucid"


def arguments_of(script_doc):
    """Return the argument parser that all scripts share."""
    parser = argparse.ArgumentParser(description=script_doc.splitlines()[0])
    parser.add_argument("--quick", action="store_true",
                        help="check that the script runs, with tiny inputs and without writing to "
                             "bench/results")
    parser.add_argument("--pellucid", type=pathlib.Path, default=PELLUCID,
                        help="path of the pellucid command [default: target/release/pellucid]")
    return parser


def need(program, how):
    """Exit with build instructions if a program does not exist."""
    if not program.exists():
        sys.exit(f"cannot find {program}; build it with: {how}")


def machine():
    """Return a description of the machine."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    return {"processor": name, "cores": os.cpu_count(), "system": platform.platform(),
            "load": os.getloadavg()[0]}


def spent():
    """Return the CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Environment:
    """A separate Python environment in bench/, created on first use."""

    def __init__(self, name):
        self.folder = BENCH / name
        self.python = self.folder / "bin" / "python"

    def make(self):
        if not self.python.exists():
            subprocess.run([sys.executable, "-m", "venv", self.folder], check=True)

    def has(self, modules):
        if not self.python.exists():
            return False
        return subprocess.run([self.python, "-c", f"import {modules}"], capture_output=True).returncode == 0

    def install(self, packages, *flags):
        """Install packages. Return whether it succeeded."""
        command = [self.python, "-m", "pip", "install", "--quiet", *flags, *packages]
        return subprocess.run(command).returncode == 0

    def is_this(self):
        return pathlib.Path(sys.prefix).resolve() == self.folder.resolve()

    def enter(self, script):
        """Run a script again in this environment, with the same arguments."""
        os.execv(self.python, [str(self.python), script, *sys.argv[1:]])


# The default environment. The peers for concepts and for class expressions have their own environments, and
# FasterRisk has one because it needs old releases of numpy, pandas and scikit-learn.
PEERS = Environment(".venv")
RISK = Environment(".venv-risk")


def keep(name, text, record, quick):
    """Print a result and save it as text and JSON, for a quick run only to a temporary folder."""
    print(text)
    with tempfile.TemporaryDirectory() as temporary:
        results = pathlib.Path(temporary) if quick else BENCH / "results"
        results.mkdir(exist_ok=True)
        (results / f"{name}.txt").write_text(text)
        (results / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
