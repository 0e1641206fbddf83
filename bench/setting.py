"""What all comparisons share: where things are, what they run on, how peers are installed and where results go.

Each script has a form `--quick` for the gate: tiny inputs, one round, seconds in all. It shows that the comparison still
runs and that its answers agree, not how fast anyone is; so it leaves bench/results alone, and peers that are not installed
are named and left out.
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
    """The parser every script begins with."""
    parser = argparse.ArgumentParser(description=script_doc.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny inputs, nothing written to bench/results: does it still run?")
    parser.add_argument("--pellucid", type=pathlib.Path, default=PELLUCID, help="the command [default: target/release]")
    return parser


def need(program, how):
    """Ends with how to build a program that is not there."""
    if not program.exists():
        sys.exit(f"there is no {program}; build it first: {how}")


def machine():
    """What was measured on."""
    name = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    return {"processor": name, "cores": os.cpu_count(), "system": platform.platform(), "load": os.getloadavg()[0]}


def spent():
    """Seconds of the processor that all programs called so far took, once they have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Environment:
    """A Python environment of its own under bench/, made on first use."""

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
        """Whether they could be installed."""
        return subprocess.run([self.python, "-m", "pip", "install", "--quiet", *flags, *packages]).returncode == 0

    def is_this(self):
        return pathlib.Path(sys.prefix).resolve() == self.folder.resolve()

    def enter(self, script):
        """Runs a script again inside, with the words it was given."""
        os.execv(self.python, [str(self.python), script, *sys.argv[1:]])


# The peers of rules; those of concepts and of class expressions have environments of their own.
PEERS = Environment(".venv")


def keep(name, text, record, quick):
    """Prints a result and keeps it as text and JSON; a quick one only long enough to see that it can be written."""
    print(text)
    with tempfile.TemporaryDirectory() as temporary:
        results = pathlib.Path(temporary) if quick else BENCH / "results"
        results.mkdir(exist_ok=True)
        (results / f"{name}.txt").write_text(text)
        (results / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n")
