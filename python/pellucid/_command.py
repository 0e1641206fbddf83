"""The ``pellucid`` command: the same program that Cargo builds."""

from __future__ import annotations

import signal
import sys

from ._native import run_command


def main() -> None:
    """Run the command with the arguments of this process and exit with its status."""
    # The command handles Ctrl-C itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run_command(["pellucid", *sys.argv[1:]]))
