#!/usr/bin/env python3
"""Times sorting under python3 with NumPy and under strider, one after the other.

    bench/sort/run.py --strider build/release/bin/strider [--rounds 2] [--out FILE]

Each cell is strider's best time over NumPy's: below 1, strider is faster. Writes a markdown table.
"""

import argparse
import datetime
import os
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
FUNCTIONS = ("sort", "argsort", "partition", "unique")


def measure(command, best):
    """Lowers the times in `best` by one run of the program."""
    program = str(HERE / "sorting.npx")
    done = subprocess.run([command, program], check=True, capture_output=True, text=True)
    for line in done.stdout.splitlines():
        *key, seconds = line.split(",")
        best[tuple(key)] = min(best.get(tuple(key), float("inf")), float(seconds))


def cell(strider, numpy):
    return f"{strider * 1e6:.3g} µs, {strider / numpy:.2f}"


def table(strider, numpy, load):
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    lines = ["# Sorting: strider beside NumPy", "",
             f"- date: {date}; {os.cpu_count()} cores, load {load:.1f} at the start",
             "- a cell is strider's best time and its ratio to NumPy's (below 1: faster)", "",
             "| type | n | values | " + " | ".join(FUNCTIONS) + " |",
             "|---|---:|---|" + "---:|" * len(FUNCTIONS)]
    for row in dict.fromkeys(key[:3] for key in strider):
        cells = (cell(strider[(*row, name)], numpy[(*row, name)]) for name in FUNCTIONS)
        lines.append("| " + " | ".join((*row, *cells)) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strider", default="build/release/bin/strider")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    load, strider, numpy = os.getloadavg()[0], {}, {}
    for _ in range(arguments.rounds):
        measure(arguments.strider, strider)
        measure(arguments.python, numpy)
    text = table(strider, numpy, load)
    if arguments.out:
        arguments.out.write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
