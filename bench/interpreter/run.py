#!/usr/bin/env python3
"""Times the programs of this folder under python3 and under strider, one after the other.

    bench/interpreter/run.py --strider build/release/bin/strider [--rounds 5] [--out FILE]

Each program prints lines `label: seconds` of its own inner work; start-up is the whole process
running `-c pass`. A row's ratio is strider's median over python3's: below 1, strider is faster.
Writes the table as markdown to bench/results/. Knows nothing of what the programs do.
"""

import argparse
import datetime
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STARTUP = "start-up of -c pass"


def time_startup(command):
    """Seconds of one process that does nothing; the best of ten, as the row of a round."""
    best = float("inf")
    for _ in range(10):
        start = time.perf_counter()
        subprocess.run([*command, "-c", "pass"], check=True)
        best = min(best, time.perf_counter() - start)
    return {STARTUP: best}


def time_program(command, path):
    """The rows that one run of a program prints."""
    done = subprocess.run([*command, str(path)], check=True, capture_output=True, text=True)
    pairs = (line.rsplit(":", 1) for line in done.stdout.splitlines())
    return {label: float(seconds) for label, seconds in pairs}


def measure(commands, programs, rounds):
    """{label: {name: [seconds, ...]}}, the two interpreters taking turns."""
    table = {}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
        for job in (None, *programs):
            for name, command in commands.items():
                rows = time_program(command, job) if job else time_startup(command)
                for label, seconds in rows.items():
                    table.setdefault(label, {}).setdefault(name, []).append(seconds)
    return table


def show(seconds):
    """Seconds with a readable unit."""
    return f"{seconds:.3f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def markdown(table):
    """The rows of medians and their ratio."""
    lines = ["| row | python3 | strider | strider / python3 |", "|---|---:|---:|---:|"]
    for label, row in table.items():
        python, strider = (statistics.median(row[name]) for name in ("python3", "strider"))
        lines.append(f"| {label} | {show(python)} | {show(strider)} | {strider / python:.2f} |")
    return "\n".join(lines)


def output_of(*command):
    """First line that a command prints, or '' when it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    except OSError:
        return ""
    return (done.stdout.strip().splitlines() or [""])[0]


def machine():
    """Processor, cores and system in words."""
    model = platform.machine()
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {os.cpu_count()} cores, {platform.platform()}"


def heading(options):
    """What was measured, where, when and how."""
    numpy = output_of(options.python, "-c", "import numpy; print(numpy.__version__)")
    commit = output_of("git", "describe", "--always", "--dirty")
    return "\n".join([
        "# Interpreter: strider beside CPython", "",
        f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"- machine: {machine()}",
        f"- python3: {output_of(options.python, '--version')}, NumPy {numpy}",
        f"- strider: commit {commit}",
        f"- command: `bench/interpreter/run.py --rounds {options.rounds}`",
        f"- medians of {options.rounds} rounds, the two taking turns",
        f"- load of the machine meanwhile: {os.getloadavg()[1]:.1f}", "", ""])


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--filter", default="", help="only programs whose name contains this")
    parser.add_argument("--out", type=Path, help="default: bench/results/interpreter-DATE.md")
    return parser.parse_args()


def main():
    """Measures, prints the table and writes it down."""
    options = read_options()
    commands = {"python3": [options.python], "strider": [str(Path(options.strider).resolve())]}
    programs = [path for path in sorted(HERE.glob("*.npx")) if options.filter in path.name]
    text = markdown(measure(commands, programs, options.rounds))
    print(text)
    date = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    out = options.out or ROOT / "bench" / "results" / f"interpreter-{date}.md"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(heading(options) + text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
