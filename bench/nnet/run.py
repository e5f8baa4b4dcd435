#!/usr/bin/env python3
"""Times networks: strider beside cuDNN's own time, CuPy, JAX and PyTorch, taking turns.

    bench/nnet/run.py --strider build/release/bin/strider [--device cpu] [--filter TEXT] [--out FILE]

Needs a python3 with the engines (those that are missing are left out) and, unless --device cpu, a
GPU. Each engine runs a row in a process of its own; they are asked one after the other, --rounds
times, and medians stand in the table: seconds of a call, the calls being queued one behind the
other. The floor is what NVIDIA's libraries take when they are called with nothing around them
(floor.cpp). A number in brackets is an engine's time over strider's: above 1, strider is faster; the
engines with TF32 are compared with strider's with TF32. Every row is written down as soon as it is
measured. Knows nothing of what the rows compute; workloads.py does.
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

# name: kind, text of the row, TF32
ENGINES = {
    "strider": ("strider", "strider", False),
    "floor": ("floor", "floor", False),
    "CuPy": ("cupy", "arrays", False),
    "JAX highest": ("jax", "jax", False),
    "PyTorch": ("torch", "torch", False),
    "strider TF32": ("strider", "strider", True),
    "floor TF32": ("floor", "floor", True),
    "JAX": ("jax", "jax", True),
    "PyTorch TF32": ("torch", "torch", True),
    "NumPy": ("numpy", "arrays", False),
}
ON_GPU = ("strider,floor,CuPy,JAX highest,PyTorch,strider TF32,floor TF32,JAX,PyTorch TF32")
ON_CPU = "strider,NumPy,PyTorch"
MODULES = {"floor": "", "cupy": "cupy", "jax": "jax", "torch": "torch", "numpy": "numpy", "strider": ""}
HEADS = {
    "strider": "import numpy as np\nimport nnet\nown = np.asarray\n",
    "numpy": "import numpy as np\nown = np.asarray\n",
    "cupy": "import cupy as np\nimport numpy\nown = np.asarray\n",
    "jax": "import jax\nimport jax.numpy as jnp\nimport numpy as np\nown = jnp.asarray\n"
           "jax.config.update('jax_default_matmul_precision', {precision!r})\n",
    "torch": "import torch\nimport numpy as np\ntorch.set_grad_enabled(False)\n"
             "torch.backends.cuda.matmul.allow_tf32 = {tf32}\n"
             "torch.backends.cudnn.allow_tf32 = {tf32}\n"
             "torch.backends.cudnn.benchmark = True\n"
             "def own(array):\n    return torch.from_numpy(array).to('{device}')\n",
}


def program(name, row, device):
    """The text of a row's program for an engine; None where the engine has no such row."""
    kind, text, tf32 = ENGINES[name]
    if text not in row or kind == "floor":
        return None
    head = HEADS[kind].format(precision="default" if tf32 else "highest", tf32=tf32, device=device)
    body = row[text]
    if kind == "jax" and not row.get("jitted"):
        body += "\nrun = jax.jit(run)\n"
    # Inputs are NumPy's for all but strider.
    made = row["inputs"].replace("np.", "numpy.") if kind == "cupy" else row["inputs"]
    lines = [f"KIND, DEVICE = {kind!r}, {device!r}", head, body, "def inputs():",
             f"    return [{', '.join(made.split(';'))}]", "", (HERE / "worker.npx").read_text()]
    return "\n".join(lines)


def start_worker(name, row, options, folder):
    """The process of an engine for a row; None where it has no such row."""
    kind, _, tf32 = ENGINES[name]
    path = Path(folder) / f"{name.replace(' ', '-')}.npx"
    environment = {**os.environ, "STRIDER_CACHE_DIR": str(Path(folder) / "cache"),
                   "STRIDER_DEVICE": options.device, "STRIDER_TF32": str(int(tf32)),
                   "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    if kind == "floor":
        if not row["floor"] or not options.floor:
            return None
        arguments = ["--tf32"] * tf32 + [str(word) for word in row["floor"]]
        return Worker([options.floor, *arguments], path, "", environment)
    text = program(name, row, options.device)
    if text is None:
        return None
    command = options.strider if kind == "strider" else options.python
    return Worker([command], path, text, environment)


def measure(row, options, folder):
    """{engine: seconds}, the engines taking turns."""
    workers = {name: start_worker(name, row, options, folder) for name in options.engines}
    workers = {name: worker for name, worker in workers.items() if worker}
    for worker in workers.values():
        worker.wait()
    samples = {name: [] for name in workers}
    for _ in range(options.rounds):
        for name, worker in workers.items():
            found = worker.ask(1)
            if found:
                samples[name].append(found[0])
    for worker in workers.values():
        worker.close()
    return {name: statistics.median(found) for name, found in samples.items() if found}


def table_line(name, row, found, options):
    """The markdown line of a row."""
    cells = []
    for engine in options.engines:
        kind, text, tf32 = ENGINES[engine]
        there = bool(row["floor"]) if kind == "floor" else text in row
        if engine not in found:
            cells.append("fails" if there else "–")
            continue
        own = found.get("strider TF32" if tf32 and "strider TF32" in found else "strider")
        ratio = f" ({found[engine] / own:.2f})" if own and kind != "strider" else ""
        cells.append(show_time(found[engine]) + ratio)
    return f"| {name} | " + " | ".join(cells) + " |"


def output_of(*command):
    """What a command prints; nothing where there is no such command or it fails."""
    if not shutil.which(command[0]):
        return ""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def versions(options):
    """The engines' versions, as far as they are installed."""
    names = ["cuDNN"] if options.device == "cuda" else []
    code = {"cuDNN": "import torch; print(torch.backends.cudnn.version())",
            **{name: f"import {name}; print({name}.__version__)"
               for name in sorted({MODULES[ENGINES[engine][0]] for engine in options.engines} - {""})}}
    found = [(name, output_of(options.python, "-c", code[name]))
             for name in [*names, *(n for n in code if n != "cuDNN")]]
    return ", ".join(f"{name} {version}" for name, version in found if version)


def heading(options):
    """What was measured, where, when and how."""
    if options.device == "cuda":
        device = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    else:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
        device = f"{models[0] if models else 'unknown'}, {len(os.sched_getaffinity(0))} threads"
    return ["# Networks: strider beside " + ", ".join(options.engines[1:]), "",
            f"- date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d %H:%M} UTC",
            f"- device: {device.splitlines()[0] if device else 'unknown'}",
            f"- {versions(options)}; strider: commit {options.commit}",
            f"- command: `bench/nnet/run.py --device {options.device} --rounds {options.rounds}`",
            "- time of a call; in brackets over strider's with the same rounding (above 1: strider is "
            "faster). float32; TF32 only where it says so, and in JAX's own default. PyTorch may choose "
            "its algorithms by measuring.", "",
            "| row | " + " | ".join(options.engines) + " |", "|---|" + "---:|" * len(options.engines)]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable, help="with the other engines")
    parser.add_argument("--floor", help="the floor program; default: cuda_nnet_floor beside strider")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--filter", default="", help="only rows whose name contains it, or one of several with | between")
    parser.add_argument("--engines", help=f"default: {ON_GPU}; on the CPU {ON_CPU}")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no row after so long")
    parser.add_argument("--commit", help="of the strider that runs; default: that of this checkout")
    parser.add_argument("--out", type=Path, help="default: bench/results/nnet-DEVICE-DATE.md")
    options = parser.parse_args()
    options.strider = str(Path(options.strider).resolve())
    beside = Path(options.strider).parent / "cuda_nnet_floor"
    options.floor = options.floor or (str(beside) if beside.exists() else None)
    options.commit = options.commit or output_of("git", "describe", "--always", "--dirty")
    names = (options.engines or (ON_GPU if options.device == "cuda" else ON_CPU)).split(",")
    missing = {module for module in {MODULES[ENGINES[name][0]] for name in names} - {""}
               if not output_of(options.python, "-c", f"import {module}; print(1)")}
    options.engines = [name for name in names if MODULES[ENGINES[name][0]] not in missing]
    date = f"{datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"
    options.out = options.out or ROOT / "bench" / "results" / f"nnet-{options.device}-{date}.md"
    return options


def main():
    """Measures, and writes each row as it comes."""
    options, began = read_options(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, options.out.open("w") as out:
        def write(line):
            print(line, flush=True)
            out.write(line + "\n")
            out.flush()

        for line in heading(options):
            write(line)
        for name, row in workloads.ROWS.items():
            wanted = any(part in name for part in options.filter.split("|"))
            if wanted and time.monotonic() - began <= options.seconds:
                write(table_line(name, row, measure(row, options, folder), options))
    return 0


if __name__ == "__main__":
    sys.exit(main())
