#!/usr/bin/env python3
"""Runs the .npx programs under python3 with NumPy and under strider, and compares.

    tests/run.py --strider build/release/bin/strider [--filter TEXT] [--mode eager] [PATH...]

Standard output and the exit status must be equal; where a program ends with an uncaught error, so
must the last line of standard error. Lines in a program steer its run:

    # exit: 1          the program is meant to leave with this status
    # stdin: text      one line of standard input
    # arguments: text  what stands behind the program on the command line
    # npx-only         no python counterpart: `# expect: line` lines are the whole output, and
                       `# expect like: pattern` a line that a regular expression describes
    # needs fusion     not run with --mode eager
    # needs cpu        not run on a device: it looks at what only the CPU does
    # needs vectors    not run where STRIDER_TARGET leaves out instructions that NumPy uses
    # needs room       not run where elements leave their device all the time
    # needs memory     not run where kernels are compiled for a device that is not there
    # needs compiler   not run where the plug-in that compiles loops is not beside the program
    # needs two devices   run only where there are two

The programs in examples/ run as well, with more time. On a GPU numbers may differ by rounding:
elementary functions and long sums are the device's. A file whose name starts with `_`, or in a
folder with `__init__.npx`, is a module for its neighbours, not a test. Without --strider only the
python side is run and checked.
Knows nothing of how either side works.
"""

import argparse
import concurrent.futures
import difflib
import hashlib
import itertools
import json
import lzma
import os
import queue
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import batches

HERE = Path(__file__).resolve().parent
TOPICS = ("language", "arrays", "graph", "stdlib", "nnet", "predecessors", "programs")
EXAMPLE_SECONDS = 60
# What a mode adds to the command line and to the environment.
MODES = {
    "default": ([], {}),
    "eager": (["--eager"], {}),
    "fused": ([], {"STRIDER_FUSION": "1"}),  # even the smallest arrays
    # Elements on a device, which the host's memory plays.
    "mirror": ([], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "mirror", "STRIDER_DEVICE": "cuda"}),
    # The same, every operation at once.
    "mirror-eager": (["--eager"], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "mirror", "STRIDER_DEVICE": "cuda"}),
    # The same, one instruction at a time, as devices do while they compile.
    "mirror-unfused": ([], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "mirror", "STRIDER_DEVICE": "cuda",
                            "STRIDER_UNFUSED": "1"}),
    # The same, and whatever is not in use leaves it at every request for memory.
    "mirror-tight": ([], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "mirror", "STRIDER_DEVICE": "cuda",
                          "STRIDER_MIRROR_TIGHT": "1"}),
    "cuda": ([], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda"}),  # needs a GPU
    # Every kernel that a GPU would run is compiled; needs the toolkit alone.
    "cuda-compile": ([], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda", "STRIDER_CUDA_COMPILE_ONLY": "1"}),
    # Every kernel that a GPU would run is run by the host; needs the toolkit and clang++.
    "cuda-emulated": ([], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda", "STRIDER_RENDERER": "emulator"}),
    "cuda-eager": (["--eager"], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda"}),
}
TURNS = itertools.count()
LATE = 45  # seconds that programs still have when no further one is begun
SHARED_PART = 0.8  # of the seconds, for those in a process with others
TIME_FACTOR = float(os.environ.get("STRIDER_TIME_FACTOR", 1))  # builds with sanitizers are slow
MODE_FACTORS = {"cuda": 4, "cuda-eager": 4, "cuda-compile": 8, "cuda-emulated": 8}  # programs wait for kernels of some tenths of a second


def allowed_seconds(options):
    """How long a program may run that is no example."""
    return options.timeout * TIME_FACTOR * MODE_FACTORS.get(options.mode, 1)


class Oracle:
    """One server process that runs programs under python3 (see oracle.py)."""

    def __init__(self, python):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            [python, str(HERE / "oracle.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, encoding="utf-8", env=environment)
        self.version = self._process.stdout.readline().strip()
        if not self.version:
            sys.exit(f"tests/run.py: {python} cannot import numpy")

    def run(self, program, timeout):
        """Returns {"stdout", "stderr", "exit"} of the program."""
        with tempfile.TemporaryDirectory() as folder:
            request = {"path": str(program.path), "cwd": folder,
                       "stdin": program.stdin, "timeout": timeout}
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def close(self):
        """Ends the server."""
        self._process.stdin.close()
        self._process.wait()


class Program:
    """A .npx program and what its comment lines ask for."""

    def __init__(self, path):
        self.path = path
        self.text = path.read_text(encoding="utf-8", errors="surrogateescape")
        self.name = os.path.relpath(path, HERE.parent)
        lines = self.text.splitlines()
        self.npx_only = "# npx-only" in lines
        self.needs_fusion = "# needs fusion" in lines
        self.needs_cpu = "# needs cpu" in lines
        self.needs_vectors = "# needs vectors" in lines
        self.needs_room = "# needs room" in lines
        self.needs_memory = "# needs memory" in lines
        self.needs_compiler = "# needs compiler" in lines
        self.needs_two = "# needs two devices" in lines
        self.expected = "".join(text + "\n" for _, text in expectations(lines))
        self.patterns = {place: text for place, (exact, text) in enumerate(expectations(lines))
                         if not exact}
        self.arguments = shlex.split(next(values(lines, "arguments"), ""))
        self.stdin = "".join(text + "\n" for text in values(lines, "stdin"))
        self.exit = int(next(values(lines, "exit"), 0))

    def runs_in(self, mode):
        """Whether a mode has what it needs, but for a second device."""
        on_device = mode.startswith(("cuda", "mirror"))
        return not (self.needs_fusion and mode.endswith("eager") or self.needs_cpu and on_device
                    or self.needs_vectors and "STRIDER_TARGET" in os.environ
                    or self.needs_room and mode == "mirror-tight"
                    or self.needs_memory and mode in ("cuda-compile", "cuda-emulated"))

    def seconds(self, options):
        """How long it may run."""
        example = self.path.parent == HERE.parent / "examples"
        return allowed_seconds(options) * (max(EXAMPLE_SECONDS / options.timeout, 1) if example else 1)

    def key(self, version):
        """Hash of everything the python side's output depends on."""
        digest = hashlib.sha256(version.encode())
        digest.update((HERE / "oracle.py").read_bytes())
        digest.update(str(self.path).encode())
        for path in [self.path, *sorted(neighbours(self.path))]:
            digest.update(path.read_bytes())
        return digest.hexdigest()


def values(lines, name):
    """Yields the text after `# name:` of each such line, one space dropped."""
    mark = f"# {name}:"
    for line in lines:
        if line.startswith(mark):
            yield line[len(mark):].removeprefix(" ")


def expectations(lines):
    """Yields (exact, text) for each line of output that a program announces."""
    for line in lines:
        for mark, exact in (("# expect:", True), ("# expect like:", False)):
            if line.startswith(mark):
                yield exact, line[len(mark):].removeprefix(" ")


def as_described(program, actual):
    """What the program must print, where lines that fit its patterns are as it printed them."""
    wanted, got = program.expected.splitlines(True), actual.splitlines(True)
    for place, pattern in program.patterns.items():
        if place < len(got) and re.fullmatch(pattern, got[place].rstrip("\n")):
            wanted[place] = got[place]
    return "".join(wanted)


def is_module(path):
    """True for a file that tests import rather than a test."""
    return path.name.startswith("_") or (path.parent / "__init__.npx").exists()


def neighbours(path):
    """The modules that the program at `path` may import from its folder."""
    return [other for other in path.parent.rglob("*.npx") if is_module(other)]


def find_programs(paths, text):
    """All test programs under the paths whose name contains `text`."""
    found = set()
    for path in paths:
        found.update([path] if path.is_file() else path.rglob("*.npx"))
    programs = [Program(path.resolve()) for path in sorted(found) if not is_module(path)]
    return [program for program in programs if text in program.name]


def expected_result(program, options, oracles):
    """What the program must print: from its own lines, the cache, or python3."""
    if program.npx_only:
        return {"stdout": program.expected, "stderr": "", "exit": program.exit}
    if options.expected:
        return options.expected[program.name]
    oracle = oracles.get()
    try:
        saved = options.cache / (program.key(oracle.version) + ".json")
        if saved.exists():
            return json.loads(saved.read_text())
        result = oracle.run(program, program.seconds(options))
    finally:
        oracles.put(oracle)
    if result["exit"] is not None:
        fresh = saved.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(result))
        fresh.replace(saved)
    return result


def next_device(options):
    """The settings that give programs the devices of this machine in turns."""
    if not options.devices:
        return {}
    return {"CUDA_VISIBLE_DEVICES": str(next(TURNS) % options.devices)}


def time_left(program, options):
    """The seconds that a program may take: its own, and no more than LATE after the last is begun."""
    return min(program.seconds(options), max(options.begun + options.seconds + LATE - time.monotonic(), 1))


def strider_result(program, options):
    """What the program prints under strider, in a fresh working folder."""
    flags, settings = MODES[options.mode]
    command = [options.strider, *flags, *options.flag, str(program.path), *program.arguments]
    settings = {**settings, **({} if program.needs_two else next_device(options))}
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, cwd=folder, input=program.stdin.encode(),
                                  capture_output=True, timeout=time_left(program, options),
                                  env={**os.environ, "OPENBLAS_NUM_THREADS": "1", **settings})
        except subprocess.TimeoutExpired:
            return {"stdout": "", "stderr": "", "exit": None}
    return {"stdout": done.stdout.decode("utf-8", "replace"),
            "stderr": done.stderr.decode("utf-8", "replace"), "exit": done.returncode}


def last_line(text):
    """The last line of a text that is not blank, without a suggestion of another name."""
    lines = text.strip().splitlines()
    return lines[-1].partition(". Did you mean: ")[0] if lines else ""


def oracle_complaint(program, expected):
    """Why the python side itself is not what the program announces, or ''."""
    if expected["exit"] == program.exit:
        return ""
    if expected["exit"] is None:
        return "python3 ran out of time\n"
    return (f"python3 left with status {expected['exit']}; the program announces {program.exit}\n"
            + expected["stderr"])


def difference(expected, actual):
    """A readable account of how the results differ, or ''."""
    if actual["exit"] is None:
        return "strider ran out of time\n"
    text = "".join(difflib.unified_diff(
        expected["stdout"].splitlines(True), actual["stdout"].splitlines(True),
        "python3", "strider"))
    if text and not text.endswith("\n"):
        text += "\n"
    if expected["exit"] != actual["exit"]:
        text += f"status {actual['exit']}, expected {expected['exit']}\n"
        text += "".join("  | " + line + "\n" for line in actual["stderr"].splitlines()[-8:])
    elif expected["exit"] and expected["stderr"]:
        wanted, got = last_line(expected["stderr"]), last_line(actual["stderr"])
        if wanted != got:
            text += f"last error line\n- {wanted}\n+ {got}\n"
    return text


NUMBER = re.compile(r"\s*[-+]?\d+\.\d*(?:e[-+]?\d+)?")
ROUNDING = 1e-13  # of a device's functions and sums, relative to the number; 0 may have a sign


def as_near(expected, actual):
    """The text with numbers that differ by no more than rounding as they should be."""
    wanted = NUMBER.findall(expected)
    got = NUMBER.findall(actual)
    if len(wanted) != len(got) or NUMBER.sub("", expected) != NUMBER.sub("", actual):
        return actual
    near = all(abs(float(x) - float(y)) <= ROUNDING * max(abs(float(x)), 1)
               for x, y in zip(wanted, got))
    return expected if near else actual


def check(program, options, oracles):
    """Runs one program on both sides; returns '' or the account of its failure."""
    expected = expected_result(program, options, oracles)
    complaint = oracle_complaint(program, expected)
    if complaint or not options.strider:
        return complaint
    shared = options.shared.get(program.name)
    if shared and not compare(program, options, expected, shared):
        return ""
    return compare(program, options, expected, strider_result(program, options))


def compare(program, options, expected, actual):
    """Holds what was printed against what must be; returns '' or the account of the failure."""
    if program.patterns:
        expected = {**expected, "stdout": as_described(program, actual["stdout"])}
    if options.mode.startswith(("cuda", "mirror")):
        actual["stdout"] = as_near(expected["stdout"], actual["stdout"])
    return difference(expected, actual)


def default_paths():
    """The folders that hold programs."""
    folders = [*(HERE / topic for topic in TOPICS), HERE.parent / "examples"]
    return [folder for folder in folders if folder.is_dir()]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, help="programs or folders")
    parser.add_argument("--strider", help="the strider program to test")
    parser.add_argument("--python", default=sys.executable, help="python3 with NumPy 2")
    parser.add_argument("--filter", default="", help="only names that contain this text")
    parser.add_argument("--mode", choices=sorted(MODES), default="default")
    parser.add_argument("--flag", action="append", default=[], help="further strider option")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30, help="seconds for one program")
    parser.add_argument("--cache", type=Path, default=HERE.parent / "build" / "expected")
    parser.add_argument("--expected", type=Path, metavar="FILE",
                        help="what python3 printed, where it is not asked: JSON by names, packed by xz")
    parser.add_argument("--devices", type=int, default=0, help="programs take turns on so many GPUs")
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="when no further program is begun; their order is a random one then")
    parser.add_argument("--batch", type=int, default=0,
                        help="so many programs share a process; those that differ then run alone")
    parser.add_argument("--brief", action="store_true", help="name failures without the diff")
    options = parser.parse_args()
    options.begun = time.monotonic()
    if options.strider:
        options.strider = str(Path(options.strider).resolve())
    if options.expected:
        options.expected = json.loads(lzma.open(options.expected).read())
    return options


def count_devices(options):
    """How many devices the mode has."""
    if not options.strider:
        return 0
    flags, environment = MODES[options.mode]
    text = "import numpy as np; print(np.cuda.device_count())"
    done = subprocess.run([options.strider, *flags, "-c", text], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=600)
    return int(done.stdout) if done.returncode == 0 else 0


def known_failures():
    """The programs that are known to differ, each listed with its cause; they may not pass unnoticed."""
    lines = (HERE / "known_failures.txt").read_text().splitlines()
    return {line.partition("#")[0].strip() for line in lines} - {""}


def run_shared(programs, options):
    """Results of the programs that run well in a process with others, by name."""
    if not options.batch or not options.strider:
        return {}
    flags, settings = MODES[options.mode]
    return batches.run_together([options.strider, *flags, *options.flag], programs, options.batch, options.jobs,
                                lambda: {"OPENBLAS_NUM_THREADS": "1", **settings, **next_device(options)},
                                allowed_seconds(options), options.begun + SHARED_PART * options.seconds)


def report(programs, options, oracles):
    """Checks every program, prints each failure as it comes; returns how many failed, are known to
    differ and were not begun in time.
    """
    failed = known = late = 0
    expected_to_differ = known_failures() if options.strider else set()
    end = options.begun + options.seconds
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        checks = pool.map(lambda program: check(program, options, oracles)
                          if program.name in options.shared or time.monotonic() < end else None, programs)
        for program, account in zip(programs, checks):
            if account is None:
                late += 1
                continue
            if program.name in expected_to_differ:
                if account:
                    known += 1
                    continue
                account = "passes now: take it off tests/known_failures.txt\n"
            if account:
                failed += 1
                print(f"FAILED {program.name}", flush=True)
                if not options.brief:
                    print(account, flush=True)
    return failed, known, late


def main():
    """Runs the tests; the status is 1 when one failed, 2 when none was found."""
    # Programs start as in a terminal, even where a shell runs this behind a script.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options = read_options()
    options.cache.mkdir(parents=True, exist_ok=True)
    programs = find_programs(options.paths or default_paths(), options.filter)
    programs = [program for program in programs if program.runs_in(options.mode)]
    if options.strider and not (Path(options.strider).parents[1] / "lib/strider/libstrider_compiler.so").exists():
        programs = [program for program in programs if not program.needs_compiler]
    if any(program.needs_two for program in programs) and count_devices(options) < 2:
        programs = [program for program in programs if not program.needs_two]
    if not programs:
        print("no tests found")
        return 2
    oracles = queue.Queue()
    for _ in range(0 if options.expected else options.jobs):
        oracles.put(Oracle(options.python))
    if options.seconds < float("inf"):
        random.shuffle(programs)
    started = time.monotonic()
    options.shared = run_shared(programs, options)
    failed, known, late = report(programs, options, oracles)
    while not oracles.empty():
        oracles.get().close()
    seconds = time.monotonic() - started
    if late:
        print(f"{late} programs were not begun within {options.seconds:g} s")
    print(f"{len(programs) - failed - known - late} passed, {failed} failed, {known} known to differ "
          f"({seconds:.1f} s)")
    return 1 if failed or late else 0


if __name__ == "__main__":
    sys.exit(main())
