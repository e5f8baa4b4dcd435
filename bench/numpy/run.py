#!/usr/bin/env python3
"""Times some 4,800 expressions in strider beside NumPy, at sizes from 1 to 1e7.

    bench/numpy/run.py --strider build/release/bin/strider [--filter TEXT] [--out FILE]

Each engine is one process; the two take turns of a few milliseconds, and the best turn of each
counts. A ratio is NumPy's time over strider's: below 1, NumPy is faster. What seems slower is
measured again, --again times, and the median ratio stands. Rows stand in rows/*.txt, as table.py
reads them; those of the language alone in bench/interpreter/rows (--rows), where CPython is what the
page calls NumPy. Knows nothing of what the rows compute.
"""

import argparse
import contextlib
import datetime
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import table

HERE = Path(__file__).resolve().parent
SIZES = [10**power for power in range(8)]
SLOW = 0.95  # below this ratio a row is measured again
SHOWN = 0.9  # below this one it stands in the table
# After products NumPy's library keeps a thread of its own running for 25 ms, on a core that the
# other engine is to have.
PAUSE = {"linear": 0.03}


class Engine:
    """A process that times rows."""

    def __init__(self, command, path, rows, strider):
        path.write_text(table.program(rows, strider))
        self._command, self._path = command, path
        self._start()

    def _start(self):
        self._process = subprocess.Popen(
            [*self._command, str(self._path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def ask(self, *words):
        """The answer's words; a process that ends is started anew."""
        try:
            self._process.stdin.write(" ".join(map(str, words)) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except OSError:
            answer = ""
        if not answer:
            self._process.wait()
            self._start()
            return ["fails", "the process ended"]
        return answer.split()

    def close(self):
        """Ends the process."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()


def measure(engines, number, size, turns, seconds, pause):
    """The best time of each engine, or the answer of one that fails."""
    for name, engine in engines.items():
        answer = engine.ask("prepare", number, size, seconds)
        time.sleep(pause)
        if answer[0] != "calls":
            return f"{name}: {' '.join(answer)}"
    best = dict.fromkeys(engines, math.inf)
    for _ in range(turns):
        for name, engine in engines.items():
            answer = engine.ask("time")
            if answer[0] != "seconds":
                return f"{name}: {' '.join(answer)}"
            best[name] = min(best[name], float(answer[1]))
            time.sleep(pause)
    return best


def ratio(best):
    """NumPy's time over strider's."""
    return best["NumPy"] / best["strider"]


def measure_well(engines, number, size, again, pause):
    """The measurement with the median ratio, where the first one says that strider is slower."""
    found = measure(engines, number, size, 5, 0.0015, pause)
    if isinstance(found, str) or ratio(found) >= SLOW or not again:
        return found
    more = [measure(engines, number, size, 9, 0.003, pause) for _ in range(again)]
    return sorted([found, *(one for one in more if not isinstance(one, str))],
                  key=ratio)[(1 + len(more)) // 2]


def group_lines(good):
    """A line of means for each group of rows."""
    yield "| group | measurements | geometric mean | below 0.9 | least |"
    yield "|---|---:|---:|---:|---:|"
    for group in [*dict.fromkeys(row.group for row, _, _ in good), "all"]:
        ratios = [one for row, _, one in good if group in (row.group, "all")]
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        yield (f"| {group} | {len(ratios)} | {mean:.2f} | {sum(one < SHOWN for one in ratios)} | "
               f"{min(ratios):.2f} |")


def slow_lines(good):
    """A line for each row that NumPy does faster at some size, by the least ratio."""
    yield "| row | " + " | ".join(f"{size:.0e}".replace("e+0", "e") for size in SIZES) + " |"
    yield "|---|" + "---:|" * len(SIZES)
    found = {}
    for row, size, one in good:
        found.setdefault(row.name, {})[size] = one
    for name, ratios in sorted(found.items(), key=lambda pair: min(pair[1].values())):
        if min(ratios.values()) < SHOWN:
            cells = [f"{ratios[size]:.2f}" if size in ratios else "" for size in SIZES]
            yield f"| `{name.replace('|', '&#124;')}` | " + " | ".join(cells) + " |"


def document(rows, results, heading):
    """The page: means by group, then what NumPy does faster, then what one of them cannot do."""
    good = [(rows[number], size, ratio(found)) for number, size, found in results
            if not isinstance(found, str)]
    fails = {f"- `{rows[number].name}`: {found}": None for number, _, found in results
             if isinstance(found, str)}
    return "\n".join([*heading, *group_lines(good), "", "Where NumPy is faster (NumPy's time over "
                      "strider's, by size):", "", *slow_lines(good), "", *fails]) + "\n"


def output_of(*command):
    """What a command prints."""
    return subprocess.run(command, capture_output=True, text=True, cwd=HERE).stdout.strip()


def heading_lines(options, load):
    """What was measured, where, when and how."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), "unknown")
    numpy = output_of(options.python, "-c", "import numpy; print(numpy.__version__)")
    return ["# strider beside NumPy, expression by expression", "",
            f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
            f"- machine: {model}, {os.cpu_count()} cores; load {load:.1f} at the start, "
            f"{os.getloadavg()[0]:.1f} at the end",
            f"- NumPy {numpy}; strider: commit {output_of('git', 'describe', '--always')}",
            f"- command: `bench/numpy/run.py --again {options.again}`", ""]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable, type=os.path.abspath)
    parser.add_argument("--rows", type=Path, default=HERE / "rows", help="the folder of the rows")
    parser.add_argument("--filter", default="", help="only rows whose group and name contain this")
    parser.add_argument("--smallest", type=float, default=1)
    parser.add_argument("--largest", type=float, default=1e7)
    parser.add_argument("--again", type=int, default=2, help="measurements more of what is slower")
    parser.add_argument("--names", type=Path, help="a file with names and sizes to measure")
    parser.add_argument("--raw", type=Path, help="where to write all numbers, as JSON lines")
    parser.add_argument("--out", type=Path, help="where to write the page")
    return parser.parse_args()


def jobs(rows, options):
    """The rows' numbers and sizes to measure."""
    wanted = None
    if options.names:
        wanted = {tuple(line.rsplit(" @", 1)) for line in options.names.read_text().splitlines()}
    for number, row in enumerate(rows):
        for size in SIZES:
            if max(row.least, options.smallest) <= size <= min(row.most, options.largest) and \
                    options.filter in f"{row.group}: {row.name}" and \
                    (wanted is None or (row.name, str(size)) in wanted):
                yield number, size


def main():
    """Measures and prints the page."""
    options = read_options()
    rows, load, results = table.read_rows(options.rows), os.getloadavg()[0], []
    commands = {"NumPy": [options.python], "strider": [str(Path(options.strider).resolve())]}
    raw = open(options.raw, "a", encoding="utf-8") if options.raw else None
    with tempfile.TemporaryDirectory() as folder:
        engines = {name: Engine(command, Path(folder) / f"{name}.npx", rows, name == "strider")
                   for name, command in commands.items()}
        start, group = time.time(), ""
        for number, size in jobs(rows, options):
            if rows[number].group != group:
                group = rows[number].group
                print(f"{time.time() - start:.0f} s: {group}", file=sys.stderr, flush=True)
            found = measure_well(engines, number, size, options.again, PAUSE.get(group, 0))
            results.append((number, size, found))
            if raw:
                raw.write(json.dumps([rows[number].name, size, found]) + "\n")
                raw.flush()
        for engine in engines.values():
            engine.close()
    text = document(rows, results, heading_lines(options, load))
    print(text)
    if options.out:
        options.out.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
