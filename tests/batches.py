"""Runs test programs one after the other in a few processes, where a process takes long to start.

Knows what programs print and how they end, not whether that is right.
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
STRICT = 70  # how batch.npx leaves where programs would not run as they do alone


def can_share(program):
    """Whether a program asks for nothing that only a process of its own has."""
    return not (program.stdin or program.arguments or program.needs_two or program.exit)


def read_results(folder, batch):
    """What those printed that came to their end, by name."""
    found = {}
    for place, program in enumerate(batch):
        status = folder / f"{place}.exit"
        if status.exists() and status.read_text():
            texts = [(folder / f"{place}.{ending}").read_text(errors="replace") for ending in ("out", "err")]
            found[program.name] = {"stdout": texts[0], "stderr": texts[1], "exit": int(status.read_text())}
    return found


def run_batch(command, batch, environment, seconds):
    """Runs one process; returns its results until it ended, well or not, or ran out of time."""
    if seconds <= 0:
        return {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        words = [*command, HERE / "batch.npx", "--results", folder, *(program.path for program in batch)]
        try:
            done = subprocess.run([str(word) for word in words], cwd=folder, stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=seconds, env={**os.environ, **environment})
            if done.returncode == STRICT:
                sys.exit(done.stderr.decode(errors="replace"))
        except subprocess.TimeoutExpired:
            pass
        return read_results(Path(folder), batch)


def run_together(command, programs, size, jobs, environment_of, seconds, end):
    """What programs print, by name, of those that came to their end in a process with others.

    `size` of them share a process that has so many seconds, `jobs` processes run at a time, none beyond
    the time `end`; `environment_of()` gives the settings of one.
    """
    shared = [program for program in programs if can_share(program)]
    batches = [shared[first:first + size] for first in range(0, len(shared), size)]

    def run_next(batch):
        return run_batch(command, batch, environment_of(), min(seconds, end - time.monotonic()))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return {name: result for results in pool.map(run_next, batches) for name, result in results.items()}
