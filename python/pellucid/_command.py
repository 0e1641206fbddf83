"""The command ``pellucid``: the same program as the one that Cargo builds."""

from __future__ import annotations

import signal
import sys

from ._native import run_command


def main() -> None:
    """Runs the command with the arguments of the process, and exits as it does."""
    # The command listens to Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["pellucid", *sys.argv[1:]]))
