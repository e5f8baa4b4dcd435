#!/usr/bin/env python3
"""What an evaluation on a GPU takes of the host, over a runtime and libraries that do nothing.

    bench/host/run.py [--build build/release] [--calls 2000] [--rounds 5] [--instructions]

Prints a table: recorded operations of a call, the least and the median of its microseconds over the
rounds, and with --instructions the instructions that it takes (counted by valgrind, which must be
installed; they hardly change from run to run, where times do). Needs no GPU: kernels are compiled,
kept in the cache and "launched", and never run.
"""

import argparse
import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ("three operations, 5000", "Black-Scholes, 10000", "RBM step", "training step")
COUNTED = 50  # calls more or less between two counts


def environment(build, cache):
    """The settings under which the idle plug-in is taken for a GPU."""
    return {**os.environ, "STRIDER_PLUGIN_FOLDER": str(build / "bench/host/plugin"),
            "LD_LIBRARY_PATH": f"{build / 'bench/host/libraries'}:{os.environ.get('LD_LIBRARY_PATH', '')}",
            "STRIDER_DEVICE": "cuda", "STRIDER_CACHE_DIR": cache, "STRIDER_CUDA_COMPILE": "wait",
            "STRIDER_NUM_THREADS": "1"}


def run(build, variables, name, calls, before=()):
    """Runs the worker; returns its output and what was written on standard error."""
    command = [*before, build / "bin/strider", HERE / "worker.npx", name, str(calls)]
    done = subprocess.run(command, env=variables, check=True, capture_output=True, text=True)
    return done.stdout, done.stderr


def instructions(build, variables, name):
    """Instructions of a call."""
    counts = []
    for calls in (COUNTED, 2 * COUNTED):
        _, report = run(build, variables, name, calls,
                        ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"))
        counts.append(int(re.search(r"Collected : (\d+)", report)[1]))
    return (counts[1] - counts[0]) / COUNTED


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    print("| a call of | operations | least | median | instructions |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as cache:
        variables = environment(build, cache)
        for name in NAMES:
            rounds = [run(build, variables, name, options.calls)[0].split() for _ in range(options.rounds)]
            times = [float(words[0]) for words in rounds]
            counted = f"{instructions(build, variables, name):,.0f}" if options.instructions else "–"
            print(f"| {name} | {float(rounds[0][1]):.0f} | {min(times):.1f} µs | "
                  f"{statistics.median(times):.1f} µs | {counted} |", flush=True)


if __name__ == "__main__":
    main()
