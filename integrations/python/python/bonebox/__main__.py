"""The command line: ``python -m bonebox`` is the program ``bonebox``."""

from __future__ import annotations

import signal
import sys

from ._bonebox import run_program


def main() -> int:
    """Run the program with the arguments of this process, and return its exit code."""
    # Python would only note Ctrl-C, and react when the program has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["bonebox", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
