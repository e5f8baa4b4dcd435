#!/usr/bin/env python3
"""Pictures: strider's PIL beside Pillow, one table on stdout.

bench/pictures/run.py --strider build/release/bin/strider --pillow PYTHON, a python3 that has Pillow and NumPy."""

import argparse
import statistics
import subprocess
from datetime import datetime, timezone
from pathlib import Path

WORKS = Path(__file__).with_name("works.npx")


def times(command):
    text = subprocess.run([*command, WORKS], capture_output=True, text=True, check=True).stdout
    return {name: float(time) for name, time in (line.rsplit("|", 1) for line in text.splitlines())}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strider", required=True)
    parser.add_argument("--pillow", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ours, theirs = [], []
    for _ in range(options.rounds):
        theirs.append(times([options.pillow]))
        ours.append(times([options.strider]))
    version = subprocess.run([options.pillow, "-c", "import PIL; print(PIL.__version__)"], capture_output=True, text=True)
    print(f"# Pictures: strider beside Pillow {version.stdout.strip()}\n")
    print(f"- date: {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC; medians of {options.rounds} runs, 1600 * 1200 pixels")
    print("- a ratio is Pillow's time over strider's (above 1: strider is faster)\n")
    print("| work | Pillow, ms | strider, ms | ratio |\n|---|---:|---:|---:|")
    ratios = []
    for name in ours[0]:
        mine, other = (statistics.median(each[name] for each in runs) for runs in (ours, theirs))
        ratios.append(other / mine)
        print(f"| {name} | {other:.3g} | {mine:.3g} | {other / mine:.2f} |")
    print(f"\nMedian ratio: {statistics.median(ratios):.2f}.")


if __name__ == "__main__":
    main()
