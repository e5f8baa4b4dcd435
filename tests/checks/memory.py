#!/usr/bin/env python3
"""Measures the peak memory of promised arrays.

    tests/checks/memory.py --strider build/release/bin/strider [--mebibytes 80] [--operations 300000]

A chain of fifty operations needs its inputs and its output, and one hundredth more; as many
operations as are asked for, with no value ever read, need no more than a tenth of them does.
--mebibytes is the size of each input. Peaks are the processes' own, as the kernel counts them; the
host computes, since a device's driver needs memory of its own.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

FEW = 50_000  # elements of the chain that tells what the program itself needs

CHAIN = """
import numpy as np
x = np.full({count}, 1.5)
y = np.full({count}, 0.25)
x[0] = y[0] = 2
z = x * y
for _ in range({rounds}):
    z = {step}
del _
float(z[0])
"""
STEPS = {  # name: (operations a round, step)
    "arithmetic": (2, "z * 0.5 + x"),
    "reversed views": (2, "z * 0.5 + x[::-1]"),
    "comparisons and selections": (2, "np.where(z > 1, x, y)"),
    "elementary functions": (1, "np.sqrt(z)"),
}

LOOPS = {
    "arithmetic": ("a = b * 2", "a = a * 0.5 + b"),
    "in place": ("a = b * 2", "a += b"),
    "views written": ("a = b * 2", "a[1:] = a[:-1]"),
    "results dropped": ("a = b * 2", "c = a * b - 1"),
    "one input, many results": ("a = b * 2; c = [a] * 100", "c[i % 100] = b + i"),
    "two that read each other": ("a = b * 2; c = b * 3", "a, c = c - a, a * 0.5"),
    "small arrays": ("a = b[:10] * 2", "a = a * 0.5 + 1"),
}
LOOP = """
import numpy as np
b = np.ones(5000)
{setup}
for i in range({operations}):
    {step}
"""


def peak(options, text):
    """The peak memory of a program in bytes; 0 when it fails."""
    process = subprocess.Popen([options.strider, "--device", "cpu", *options.flag, "-c", text])
    status, usage = os.wait4(process.pid, 0)[1:]
    process.returncode = os.waitstatus_to_exitcode(status)
    return 0 if process.returncode else usage.ru_maxrss * 1024


def check_chain(options, name):
    """What the chain needs beside one of few elements, and what it may need."""
    operations, step = STEPS[name]
    count = options.mebibytes * 2**20 // 8  # whole huge pages
    base, needed = [peak(options, CHAIN.format(count=each, rounds=50 // operations, step=step))
                    for each in (FEW, count)]
    return needed - base, 3 * count * 8 * 1.01 + options.slack * 1e6, min(base, needed) > 0


def check_loop(options, name):
    """What the whole loop needs, and what it may need: what a tenth does, and the slack."""
    setup, step = LOOPS[name]
    peaks = [peak(options, LOOP.format(setup=setup, step=step, operations=options.operations // part))
             for part in (10, 1)]
    return peaks[1], peaks[0] + options.slack * 1e6, min(peaks) > 0


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--flag", action="append", default=[], help="further strider option")
    parser.add_argument("--mebibytes", type=int, default=80, help="of one input")
    parser.add_argument("--operations", type=int, default=300_000)
    parser.add_argument("--slack", type=float, default=2, help="megabytes that do not count")
    options = parser.parse_args()
    options.strider = str(Path(options.strider).resolve())
    return options


def main():
    """Measures; the status is 1 when something needs too much."""
    options = read_options()
    results = [(f"chain: {name}", check_chain(options, name)) for name in STEPS]
    results += [(f"loop: {name}", check_loop(options, name)) for name in LOOPS]
    failed = 0
    for name, (needed, allowed, ended) in results:
        good = ended and needed <= allowed
        failed += not good
        print(f"{'ok    ' if good else 'FAILED'} {name}: {needed / 1e6:.1f} MB of {allowed / 1e6:.1f}")
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
