#!/usr/bin/env python3
"""Times fused expressions in strider beside NumPy, numexpr, Numba and JAX, taking turns.

    bench/fusion/run.py --strider build/release/bin/strider [--largest 1e8] [--out FILE]

The first call makes the virtual environment build/bench-fusion from requirements.txt (PyPI). Each
engine runs a row in a process of its own; for each size they are asked one after the other, --rounds
times, and the medians stand in the table (warm: the first calls, with compilation, do not count).
A ratio is the engine's time over strider's: above 1, strider is faster. The copy is the fastest that
any engine reaches at the largest size; rows bound by memory tell how near to it strider comes.
Knows nothing of what the rows compute; workloads.py does.
"""

import argparse
import datetime
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import workloads

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "shared"))
from workers import Worker, show_time

ROOT = HERE.parent.parent
ENGINES = ("strider", "NumPy", "numexpr", "Numba", "JAX")
HEADS = {
    "strider": "import numpy as np\n",
    "NumPy": "import numpy as np\nnp.seterr(all='ignore')\n",
    "numexpr": "import numpy as np\nimport numexpr as ne\nne.set_num_threads({threads})\n",
    "Numba": "import math\nimport numpy as np\nimport numba as nb\n",
    "JAX": "import jax\njax.config.update('jax_enable_x64', True)\nimport jax.numpy as np\n",
}


def make_environment(folder):
    """The Python of the virtual environment, made when it is not there."""
    python = folder / "bin" / "python3"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "-r",
                        str(HERE / "requirements.txt")], check=True)
    return python


def program(engine, row):
    """The text of a row's program for an engine, or None when the engine has no such row."""
    text = row.get({"numexpr": "numexpr", "JAX": "jax"}.get(engine, "text"),
                   None if engine == "numexpr" else row["text"])
    if text is None or (engine == "Numba" and row.get("numba", "") is None):
        return None
    if engine == "Numba":
        helper = row.get("numba") or ""
        text = row.get("numba_run", text)
        text = f"{helper}\n@nb.njit(parallel=True)\n{text.lstrip()}"
    if engine == "JAX":
        text += "\nrun = jax.jit(run)\n"
    lines = [f"ENGINE = '{engine.lower()}'", HEADS[engine].format(threads=os.cpu_count()), text,
             "def inputs(n):", *(f"    {part.strip()}" for part in row["inputs"].split(";")),
             f"    return ({row['arguments']},)", "", (HERE / "worker.npx").read_text()]
    return "\n".join(lines)


def measure_row(row, commands, sizes, rounds, folder):
    """{size: {engine: seconds}}, the engines taking turns."""
    workers = {}
    for engine, command in commands.items():
        text = program(engine, row)
        if text is not None:
            workers[engine] = Worker(command, Path(folder) / f"{engine}.npx", text)
    for worker in workers.values():
        worker.wait()
    table = {}
    for size in sizes:
        samples = {engine: [] for engine in workers}
        for _ in range(rounds):
            for engine, worker in workers.items():
                seconds = worker.seconds(size)
                if seconds is not None:
                    samples[engine].append(seconds)
        table[size] = {engine: statistics.median(found) for engine, found in samples.items() if found}
    for worker in workers.values():
        worker.close()
    return table


def table_lines(name, row, table, bandwidth):
    """The markdown lines of one row."""
    for size, found in table.items():
        strider = found.get("strider")
        cells = [show_time(strider) if strider else "fails"]
        for engine in ENGINES[1:]:
            ratio = found[engine] / strider if strider and engine in found else None
            cells.append(f"{ratio:.2f}" if ratio else "–")
        near = row["bytes"] * size / strider / bandwidth if strider and row["bytes"] else 0
        cells.append(f"{near:.0%}" if near and size >= 10**6 else "")
        yield f"| {name} | {size:.0e} | " + " | ".join(cells) + " |"


def means(tables, least):
    """The geometric mean of each engine's ratios at sizes from `least` on."""
    lines = []
    for engine in ENGINES[1:]:
        ratios = [found[engine] / found["strider"] for table in tables.values()
                  for size, found in table.items()
                  if size >= least and engine in found and "strider" in found]
        if ratios:
            mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
            lines.append(f"- {engine}: {mean:.2f} over {len(ratios)} rows, least {min(ratios):.2f}")
    return lines


def slower_lines(tables):
    """The rows and sizes at which NumPy is faster."""
    return [f"- {name} at {size:.0e}: {found['NumPy'] / found['strider']:.2f}"
            for name, table in tables.items() for size, found in table.items()
            if "strider" in found and "NumPy" in found and found["NumPy"] < found["strider"]]


def document(tables, copies, options, python, load):
    """The whole page."""
    largest = max(copies)
    bandwidth = max(16 * largest / seconds for seconds in copies[largest].values())
    lines = heading(options, python, load)
    lines += [f"- copy of {largest:.0e} float64: {bandwidth / 1e9:.1f} GB/s (bytes read and written)",
              "", "| row | n | strider | NumPy | numexpr | Numba | JAX | of the copy |",
              "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, table in tables.items():
        lines += table_lines(name, workloads.ROWS[name], table, bandwidth)
    lines += ["", "Geometric means of the ratios, all sizes:", "", *means(tables, 0), "",
              "From 1e5 elements on:", "", *means(tables, 10**5), "", "Where NumPy is faster:", "",
              *(slower_lines(tables) or ["- nowhere"])]
    return "\n".join(lines) + "\n"


def output_of(*command):
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return done.stdout.strip()


def heading(options, python, load):
    """What was measured, where, when and how."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.machine())
    versions = output_of(str(python), "-c", "import numpy, numexpr, numba, jax; print(f'NumPy "
                         "{numpy.__version__}, numexpr {numexpr.__version__}, Numba "
                         "{numba.__version__}, JAX {jax.__version__}')")
    return ["# Fusion: strider beside NumPy, numexpr, Numba and JAX on the CPU", "",
            f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
            f"- machine: {model}, {os.cpu_count()} cores; load {load[0]:.1f} at the start, "
            f"{os.getloadavg()[0]:.1f} at the end",
            f"- {versions}; strider: commit {options.commit}",
            f"- command: `bench/fusion/run.py --largest {options.largest:.0e} --rounds "
            f"{options.rounds}`",
            "- strider's column is a time, the others are ratios to it (above 1: strider is faster)"]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--environment", type=Path, default=ROOT / "build" / "bench-fusion")
    parser.add_argument("--largest", type=float, default=1e7, help="number of elements")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--filter", default="", help="only rows whose name contains this")
    parser.add_argument("--commit", help="of the strider that runs; default: that of this checkout")
    parser.add_argument("--out", type=Path, help="default: bench/results/fusion-DATE.md")
    options = parser.parse_args()
    options.commit = options.commit or output_of("git", "describe", "--always", "--dirty")
    return options


def main():
    """Measures, prints the table and writes it down."""
    options = read_options()
    python = make_environment(options.environment)
    strider = str(Path(options.strider).resolve())
    commands = {engine: [strider if engine == "strider" else str(python)] for engine in ENGINES}
    sizes = [size for size in (10, 1000, 10**4, 10**5, 10**6, 10**7, 10**8)
             if size <= options.largest]
    load, tables = os.getloadavg(), {}
    with tempfile.TemporaryDirectory() as folder:
        copies = measure_row(workloads.COPY, commands, sizes[-2:], options.rounds, folder)
        for name, row in workloads.ROWS.items():
            if options.filter in name:
                print(name, file=sys.stderr, flush=True)
                tables[name] = measure_row(row, commands, sizes, options.rounds, folder)
    text = document(tables, copies, options, python, load)
    print(text)
    date = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    out = options.out or ROOT / "bench" / "results" / f"fusion-{date}.md"
    out.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
