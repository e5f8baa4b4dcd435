#!/usr/bin/env python3
"""Compares limits, ticks and tick labels of random figures with those of the matplotlib installed for PYTHON.

    tests/checks/plotting.py --strider build/release/bin/strider --python VENV/bin/python [--count 30]

Needs a python with matplotlib; without one nothing is checked. Knows nothing of how figures look.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = '''
import json
import numpy as np
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

def report(name, ax):
    ax.figure.canvas.draw()
    low, high = sorted(ax.get_xlim())
    below, above = sorted(ax.get_ylim())
    xs = [(float(t), l.get_text()) for t, l in zip(ax.get_xticks(), ax.get_xticklabels()) if low <= t <= high]
    ys = [(float(t), l.get_text()) for t, l in zip(ax.get_yticks(), ax.get_yticklabels()) if below <= t <= above]
    print(json.dumps([name, [float(v) for v in (*ax.get_xlim(), *ax.get_ylim())], xs, ys]))

rng = np.random.RandomState(SEED)
for number in range(COUNT):
    figsize = (3 + 8 * rng.rand(), 2 + 6 * rng.rand())
    scale, shift = 10 ** (rng.rand() * 12 - 6), 10 ** (rng.rand() * 6 - 3)
    x = np.sort(rng.randn(40)) * scale + (rng.rand() < 0.5) * shift * scale
    y = rng.randn(40) * 10 ** (rng.rand() * 8 - 4) + (rng.rand() < 0.3) * 1e5
    kind = number % 10
    fig, ax = plt.subplots(figsize=figsize)
    if kind == 0:
        ax.plot(x, y)
    elif kind == 1:
        ax.scatter(x, y)
    elif kind == 2:
        ax.bar(np.arange(6), np.abs(y[:6]))
    elif kind == 3:
        ax.hist(y, bins=12)
    elif kind == 4:
        ax.semilogy(x, np.abs(y))
    elif kind == 5:
        ax.loglog(np.abs(x) + scale * 1e-3, np.abs(y) + 1e-9)
    elif kind == 6:
        ax.imshow(rng.rand(int(rng.randint(2, 40)), int(rng.randint(2, 40))))
    elif kind == 7:
        ax.barh([str(i) for i in range(5)], y[:5])
    elif kind == 8:
        ax.fill_between(x, y, y + 1)
        ax.axvline(x[3])
    else:
        ax.errorbar(x[:8], y[:8], yerr=np.abs(y[:8]) * 0.1, xerr=scale * 0.1, fmt="o")
        ax.margins(0.2)
    report(f"{number}: kind {kind}", ax)
    plt.close(fig)
'''


def run(command, text):
    with tempfile.NamedTemporaryFile("w", suffix=".npx") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([command, file.name], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def same(a, b):
    """Numbers to ten digits of the larger, texts exactly."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-300) or abs(a - b) < 1e-12
    return a == b


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if subprocess.run([options.python, "-c", "import matplotlib"], capture_output=True).returncode:
        print(f"{options.python} has no matplotlib: nothing compared")
        return 0
    text = PROGRAM.replace("SEED", str(options.seed)).replace("COUNT", str(options.count))
    ours, theirs = run(str(Path(options.strider).resolve()), text), run(options.python, text)
    differ = [pair for pair in zip(ours, theirs) if not same(*pair)]
    for mine, right in differ:
        print(f"strider:    {mine}\nmatplotlib: {right}\n")
    print(f"{len(ours) - len(differ)} passed, {len(differ)} failed")
    return 1 if differ or len(ours) != len(theirs) else 0


if __name__ == "__main__":
    sys.exit(main())
