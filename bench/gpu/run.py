#!/usr/bin/env python3
"""Times array programs on a GPU: strider beside CuPy, cupy.fuse, jax.jit and NumPy, taking turns.

    bench/gpu/run.py --strider build/release/bin/strider [--filter TEXT] [--out FILE]

Needs a python3 with CuPy, JAX and NumPy, and a GPU. Each engine runs a row in a process of its own;
for each size they are asked one after the other, --rounds times, and medians stand in the table.
Warm: repeated calls queued one behind the other, for `auto` after a second in which it places the
work; a row is written down when it is measured. Cold: the first call of the process, compilation
and the opening of libraries included. The floor is the bytes that the row must move over the
bandwidth of a measured copy. A ratio is the engine's time over strider's: above 1, strider is faster.
Knows nothing of what the rows compute; workloads.py does.
"""

import argparse
import datetime
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import workloads

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "shared"))
from workers import Worker, show_time

HEADS = {
    "strider": "import numpy as np\n",
    "auto": "import numpy as np\n",
    "CuPy": "import cupy as np\n",
    "fuse": "import cupy as np\n",
    "JAX": "import jax\njax.config.update('jax_enable_x64', True)\nimport jax.numpy as np\n",
    "NumPy": "import numpy as np\nnp.seterr(all='ignore')\n",
}
KINDS = {"auto": "strider", "fuse": "cupy", "CuPy": "cupy", "JAX": "jax"}
SLOW_FOR_NUMPY = 10**7  # elements; larger rows would take minutes


def program(engine, row):
    """The text of a row's program for an engine, or None when the engine has no such row."""
    text = row["text"]
    if engine == "JAX":
        text = row.get("jax", text)
        if text is None:
            return None
        text += "\nrun = jax.jit(run)\n"
    if engine == "fuse":
        if not row.get("fused"):
            return None
        text += "\nrun = np.fuse()(run)\n"
    lines = [f"ENGINE = '{KINDS.get(engine, engine.lower())}'", HEADS[engine], text,
             "def inputs(n):", *(f"    {part.strip()}" for part in row["inputs"].split(";")),
             f"    return ({row['arguments']},)", "", (HERE / "worker.npx").read_text()]
    return "\n".join(lines)


def start_workers(row, commands, folder):
    """A process for each engine that has the row."""
    workers = {}
    for engine, command in commands.items():
        text = program(engine, row)
        if text is None:
            continue
        device = {"strider": "cuda", "auto": "auto"}.get(engine)
        cache = {"STRIDER_CACHE_DIR": str(Path(folder) / "cache")}
        environment = {**os.environ, **cache, **({"STRIDER_DEVICE": device} if device else {})}
        workers[engine] = Worker(command, Path(folder) / f"{engine}.npx", text, environment)
    for worker in workers.values():
        worker.wait()
    return workers


def measure_row(row, commands, rounds, folder):
    """{size: {engine: (warm, cold)}}, the engines taking turns."""
    workers, table = start_workers(row, commands, folder), {}
    for size in row["sizes"]:
        samples = {engine: [] for engine in workers}
        for _ in range(rounds):
            for engine, worker in workers.items():
                elements = size * size if row.get("square") else size
                if engine == "NumPy" and elements > SLOW_FOR_NUMPY and samples[engine]:
                    continue
                found = worker.ask(size)
                if found:
                    samples[engine].append(found)
        table[size] = {engine: (statistics.median(warm for warm, _ in found), found[0][1])
                       for engine, found in samples.items() if found}
    for worker in workers.values():
        worker.close()
    return table


def table_lines(name, row, table, bandwidth, engines):
    """The markdown lines of one row."""
    for size, found in table.items():
        if "strider" not in found:
            yield f"| {name} | {size:,} | fails |" + " |" * (len(engines) + 1)
            continue
        warm, cold = found["strider"]
        warm, cold = warm / row.get("divide", 1), cold / row.get("divide", 1)
        cells = [show_time(warm), show_time(cold)]
        elements = size * size if row.get("square") else size
        floor = row["bytes"] * elements / bandwidth
        cells.append(f"{warm / floor:.2f}" if floor else "")
        for engine in engines:
            ratio = found[engine][0] / found["strider"][0] if engine in found else None
            cells.append(f"{ratio:.2f}" if ratio else "–")
        yield f"| {name} | {size:,} | " + " | ".join(cells) + " |"


FIRST = """x = np.linspace(0.0, 1.0, 100_000)
print(float((x * x + 2 * x).sum()), flush=True)
"""
CONTEXT = {"numpy": "np.cuda.memory_info()", "cupy": "np.cuda.Device().mem_info"}


def time_to_print(command, path, text, environment):
    """Seconds from the start of a process to its first printed line."""
    path.write_text(text)
    begin = time.monotonic()
    with subprocess.Popen([command, str(path)], env=environment, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        return time.monotonic() - begin


def first_results(strider, python, folder):
    """Milliseconds from the start of a process to the first printed GPU result, and of one that
    opens the device only."""
    path = Path(folder) / "first.npx"
    environment = {**os.environ, "STRIDER_DEVICE": "cuda",
                   "STRIDER_CACHE_DIR": str(Path(folder) / "first-cache")}
    rows = []
    for name, command, module, runs in (("strider, empty cache", strider, "numpy", 1),
                                        ("strider, full cache", strider, "numpy", 5),
                                        ("CuPy, its cache as it is", python, "cupy", 3)):
        head = f"import {module} as np\n"
        opening = f"{head}{CONTEXT[module]}\nprint('open', flush=True)\n"
        times = [statistics.median(time_to_print(command, path, text, environment)
                                   for _ in range(runs)) for text in (head + FIRST, opening)]
        rows.append(f"- {name}: {show_time(times[0])}; the device alone is open after "
                    f"{show_time(times[1])}")
    return rows


def output_of(*command):
    """What a command prints; nothing where there is no such command."""
    if not shutil.which(command[0]):
        return ""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return done.stdout.strip()


def heading(options):
    """What was measured, where, when and how."""
    versions = output_of(options.python, "-c", "import numpy, cupy, jax; print(f'NumPy "
                         "{numpy.__version__}, CuPy {cupy.__version__}, JAX {jax.__version__}')")
    device = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    return ["# Arrays on a GPU: strider beside CuPy, cupy.fuse, jax.jit and NumPy", "",
            f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
            f"- device: {device.splitlines()[0] if device else 'unknown'}",
            f"- {versions}; strider: commit {options.commit}",
            f"- command: `bench/gpu/run.py --rounds {options.rounds}`",
            "- strider's columns are times (warm, cold) and the warm time over the floor; the others "
            "are ratios to the warm time (above 1: strider is faster)"]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable, help="with CuPy, JAX and NumPy")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--filter", default="", help="only rows whose name contains it, or one of several with | between")
    parser.add_argument("--engines", default="auto,CuPy,fuse,JAX,NumPy")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no row after so long")
    parser.add_argument("--commit", help="of the strider that runs; default: that of this checkout")
    parser.add_argument("--out", type=Path, help="default: bench/results/gpu-DATE.md")
    options = parser.parse_args()
    options.commit = options.commit or output_of("git", "describe", "--always", "--dirty")
    date = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    options.out = options.out or ROOT / "bench" / "results" / f"gpu-{date}.md"
    return options


def main():
    """Measures, prints the table and writes it down."""
    options, began = read_options(), time.monotonic()
    strider, engines = str(Path(options.strider).resolve()), options.engines.split(",")
    commands = {engine: [strider if engine in ("strider", "auto") else options.python]
                for engine in ["strider", *engines]}
    lines = heading(options)
    with tempfile.TemporaryDirectory() as folder:
        copies = measure_row(workloads.COPY, commands, 2, folder)
        (size, copied), = copies.items()
        bandwidth = max(16 * size / warm for warm, _ in copied.values())
        lines += [f"- copy of {size:.0e} float64: {bandwidth / 1e12:.2f} TB/s (bytes read and written)"]
        lines += ["", "| row | n | strider | cold | over the floor | " + " | ".join(engines) + " |",
                  "|---|---:|---:|---:|---:|" + "---:|" * len(engines)]
        for name, row in workloads.ROWS.items():
            wanted = any(part in name for part in options.filter.split("|"))
            if not wanted or time.monotonic() - began > options.seconds:
                continue
            print(name, file=sys.stderr, flush=True)
            table = measure_row(row, commands, options.rounds, folder)
            lines += table_lines(name, row, table, bandwidth, engines)
            options.out.write_text("\n".join(lines) + "\n")
        lines += ["", "From the start of the process to the first printed GPU result:", ""]
        lines += first_results(strider, options.python, folder)
    text = "\n".join(lines) + "\n"
    print(text)
    options.out.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
