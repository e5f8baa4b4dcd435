#!/usr/bin/env python3
"""Compares random array programs: python3 with NumPy, and strider in every way that it can run.

    tests/random/programs.py --strider build/release/bin/strider [--count 2000] [--seed 0]

The ways of strider (see WAYS: at once, fused from one element on, several threads, each renderer)
must agree in every bit of every array. With NumPy, arrays must agree in type, shape, strides and
bits where NumPy determines them: NaNs count as equal, an elementary function of exact values may
differ by ULPS, and what was computed from such inexact values is left out. On a GPU the same holds
beside the CPU, and what a program with sums, scans or products computes (ROUNDED) may be rounded
and overflow otherwise, as far as Rounding tells. A program that differs is cut down to the statements that matter and
printed as a file that runs by itself. Knows nothing of what the programs hold; writer.py makes them.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import writer

HERE = Path(__file__).resolve().parent
PRELUDE = (HERE / "prelude.npx").read_text()
ULPS = 4.0  # of an elementary function's result; halves and single precision in their own
DEVICE_ULPS = 256.0
COARSE_ULPS = 16.0  # of what was computed in a coarser type
# What a device adds up in an order of its own, or rounds as its compiler's complex numbers do.
ROUNDED = re.compile(r"sum|prod|mean|std|var|@|dot|scan|reduce|accumulate|average|complex|sqrt")

# Whose result for equal numbers is what rounding leaves of much larger ones.
SPREAD = re.compile(r"std|var")

# Whose order decides whether it overflows before it meets a zero or a small number.
PRODUCT = re.compile(r"prod|multiply\.(reduce|accumulate|reduceat)")

# Where numbers that are rounded otherwise may meet infinities: what would cancel, does not.
COMPLEX_PRODUCT = re.compile(r"complex\d.*\*", re.DOTALL)

# So that even the smallest arrays are shared out.
FOUR_THREADS = {"STRIDER_NUM_THREADS": "4", "STRIDER_THREAD_WORK": "8"}
# Elements on a device, which the host's memory plays.
MIRROR = {"STRIDER_RENDERER": "mirror", "STRIDER_DEVICE": "cuda"}
WAYS = {
    "eager": (["--eager"], {}),
    "default": ([], {}),
    "fused": ([], {"STRIDER_FUSION": "1"}),
    "one thread": ([], {"STRIDER_FUSION": "1", "STRIDER_NUM_THREADS": "1",
                        "STRIDER_PASS_BYTES": "100"}),
    "four threads": ([], {"STRIDER_FUSION": "1", **FOUR_THREADS}),
    "four threads, eager": (["--eager"], FOUR_THREADS),
    "tiles": ([], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "tiles"}),
    "reference": ([], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "reference"}),
    "device": ([], {"STRIDER_FUSION": "1", **MIRROR}),
    "device, eager": (["--eager"], {"STRIDER_FUSION": "1", **MIRROR}),
    "device without room": ([], {"STRIDER_FUSION": "1", **MIRROR, "STRIDER_MIRROR_TIGHT": "1"}),
    "device, compiling": ([], {"STRIDER_FUSION": "1", "STRIDER_UNFUSED": "1", **MIRROR}),
    "assembler": ([], {"STRIDER_FUSION": "1", "STRIDER_RENDERER": "assembler"}),
}
# On a GPU, or on the host that runs its kernels: held to the CPU as the CPU is to NumPy. Run only where they are asked for.
GPU_WAYS = {
    "cuda": ([], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda"}),
    "cuda, eager": (["--eager"], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda"}),
    "emulated": ([], {"STRIDER_FUSION": "1", "STRIDER_DEVICE": "cuda", "STRIDER_RENDERER": "emulator"}),
}


def function_text(number, account, statements):
    """A program as a function that reports what lives at its end, the newest first."""
    lines = [f"def program_{number}():"]
    lines += [f"    {statement.text}" for statement in statements] or ["    pass"]
    for name in reversed(account.names):
        lines.append(f"    show({number}, '{name}', '{account.mark(name)}', {name})")
    return "\n".join(lines) + "\n"


def batch_text(functions):
    """A file that runs the functions one after the other, each on its own."""
    runs = []
    for number, text in functions.items():
        runs += [text, "try:", f"    program_{number}()", "except Exception as error:",
                 f"    print({number}, 'error', type(error).__name__, sep='; ')", ""]
    return PRELUDE + "\n\n" + "\n".join(runs)


def python_globals():
    """What statements see while they are made."""
    names = {}
    exec(PRELUDE, names)
    return names


class Line:
    """One reported array."""

    def __init__(self, text):
        self.text = text
        self.fields = text.split("; ")
        self.program = int(self.fields[0])

    def same_bits(self, other):
        """Whether two ways of strider agree: all bits, but those of NaNs."""
        return self.fields[:6] + self.fields[7:] == other.fields[:6] + other.fields[7:]

    def agrees_with_numpy(self, other):
        """Whether strider's line says what NumPy's says, as far as NumPy determines it."""
        if self.fields[1] == "error" or other.fields[1] == "error":
            return self.fields == other.fields
        if self.fields[:6] != other.fields[:6]:
            return False
        mark, dtype = self.fields[2:4]
        if mark == "exact":
            return self.fields[7] == other.fields[7]
        return mark == "free" or near(self.fields[8], other.fields[8], dtype)

    def is_rounded(self):
        """Whether it shows numbers of a type that is rounded."""
        return len(self.fields) > 8 and self.fields[3] in REAL_TYPE

    def is_finite(self):
        """Whether it shows finite numbers only."""
        return not self.is_rounded() or bool(np.isfinite(np.array(eval(self.fields[8], SPECIAL), "float64")).all())

    def largest(self):
        """The largest finite magnitude that it shows."""
        sizes = np.abs(np.array(eval(self.fields[8], SPECIAL)), dtype="float64")
        return max(sizes[np.isfinite(sizes)], default=0.0)


SPECIAL = {"nan": np.nan, "inf": np.inf}
# Types whose numbers are rounded, and that of their parts.
REAL_TYPE = {"float16": "float16", "float32": "float32", "float64": "float64",
             "complex64": "float32", "complex128": "float64"}


def near(left, right, dtype, ulps=ULPS, size=None, coarsest="float64", overflowing=False):
    """Whether printed elements differ by at most so many units in the last place, each in its own,
    or all in that of a number of some size, COARSE_ULPS of them in the coarsest type. Where products
    may overflow, so may one of the two. Of complex numbers, an infinity beside NaN has any sign, as C leaves it."""
    real = REAL_TYPE.get(dtype, dtype)
    if np.dtype(real).kind != "f":
        return True
    left, right = (np.array(eval(text, SPECIAL), dtype=real) for text in (left, right))
    with np.errstate(all="ignore"):
        if size is None:
            unit = np.spacing(np.abs(right))
        else:
            eps = max(np.finfo(real).eps, np.finfo(coarsest).eps * COARSE_ULPS / ulps)
            unit = np.array(max(float(size) * float(eps), float(np.finfo(real).smallest_subnormal)))
        close = np.abs(left.astype("float64") - right) <= ulps * unit.astype("float64")
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    if dtype.startswith("complex"):
        beside_nan = np.isnan(right).reshape(-1, 2)[:, ::-1].reshape(right.shape)
        same |= beside_nan & (np.abs(left) == np.abs(right))
    spoiled = ~(np.isfinite(left) & np.isfinite(right)) & overflowing
    return bool((close | spoiled | same).all())


class Rounding:
    """What a program whose numbers may be rounded otherwise may show, beside what it shows on the CPU."""

    def __init__(self, text, lines, eager):
        rounded = [line for line in eager if line.is_rounded()]
        self._beside = max((line.largest() for line in rounded), default=0.0) if SPREAD.search(text) else 0.0
        types = [REAL_TYPE[name] for name in re.findall(r"(?:float|complex)\d+", text)]
        self._coarsest = max(types, key=lambda name: np.finfo(name).eps, default="float64")
        finite = all(line.is_finite() for line in [*lines, *eager])
        self._spoils = not finite and bool(PRODUCT.search(text))
        self._overflows = self._spoils or not finite and bool(COMPLEX_PRODUCT.search(text))
        self._differs = any(line.is_rounded() and not line.same_bits(other) for line, other in zip(lines, eager))

    def agrees(self, line, other):
        """Whether a line says the same but for that. What is compared of numbers that differ may be either,
        and all that comes of a product which has overflowed in one order."""
        if line.agrees_with_numpy(other):
            return True
        if line.fields[1] == "error" or line.fields[:6] != other.fields[:6]:
            return False
        if self._spoils or not line.is_rounded():
            return self._spoils or self._differs
        size = max(other.largest(), self._beside)
        return near(line.fields[8], other.fields[8], line.fields[3], DEVICE_ULPS, size, self._coarsest, self._overflows)


class Runner:
    """Runs a file in one way and reads its report."""

    def __init__(self, options, folder):
        self._options = options
        self._folder = folder
        self._numbers = itertools.count()

    def lines(self, way, text):
        """{program: [Line, ...]}; a program that ended the process has the line of its end."""
        number = next(self._numbers)
        path = Path(self._folder) / f"batch_{os.getpid()}_{number}.npx"
        path.write_text(text)
        flags, environment = ([], {}) if way == "python3" else {**WAYS, **GPU_WAYS}[way]
        command = [self._options.python if way == "python3" else self._options.strider]
        if self._options.devices:
            environment = {**environment, "CUDA_VISIBLE_DEVICES": str((os.getpid() + number) % self._options.devices)}
        try:
            done = subprocess.run([*command, *flags, str(path)], capture_output=True, text=True,
                                  env={**os.environ, **environment}, timeout=self._options.timeout)
            output, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired as error:
            output, status = (error.stdout or b"").decode(), "timeout"
        path.unlink()
        return self._by_program(output, status)

    @staticmethod
    def _by_program(output, status):
        found = {}
        for text in output.splitlines():
            line = Line(text)
            found.setdefault(line.program, []).append(line)
        if status:
            found["status"] = status
        return found


@dataclass(frozen=True)
class Complaint:
    """What is wrong with a program: the way that it ran in and the two lines that differ."""

    way: str
    beside: str
    line: str = field(default="", compare=False)
    expected: str = field(default="", compare=False)

    def __str__(self):
        return f"{self.way} beside {self.beside}\n  + {self.line}\n  - {self.expected}"


def first_difference(way, lines, beside, others, agree):
    """The complaint about the first pair of lines that do not agree, or None."""
    for line, other in itertools.zip_longest(lines, others):
        if line is None or other is None or not agree(line, other):
            return Complaint(way, beside, *(one.text if one else "nothing" for one in (line, other)))
    return None


def differs(way, text, lines, eager, expected):
    """How a program's lines in one way are wrong, or None."""
    if way == "eager":
        return first_difference(way, lines, "python3", expected, Line.agrees_with_numpy)
    agree = Line.same_bits
    if way in GPU_WAYS:
        agree = Line.agrees_with_numpy
        if ROUNDED.search(text):
            agree = Rounding(text, lines, eager).agrees
    return first_difference(way, lines, "eager", eager, agree)


class Comparison:
    """Compares programs in all ways."""

    def __init__(self, options, folder):
        self._runner = Runner(options, folder)
        self._ways = options.ways
        self._globals = python_globals()

    def check(self, seeds):
        """Makes the programs of the seeds and compares them: {seed: (statements, complaint)}."""
        programs, functions = {}, {}
        for seed in seeds:
            made = writer.Writer(seed, self._globals)
            programs[seed] = made.write()
            functions[seed] = function_text(seed, made.account, programs[seed])
        found = self._complaints(functions, self._ways)
        return {seed: (programs[seed], complaint) for seed, complaint in found.items()}

    def _complaints(self, functions, ways):
        text = batch_text(functions)
        expected = self._runner.lines("python3", text)
        if "status" in expected:
            raise RuntimeError(f"python3 ended with {expected['status']}")
        found, eager = {}, None
        for way in ways:
            lines = self._lines(way, text, functions, found)
            eager = eager or lines
            for number, function in functions.items():
                complaint = differs(way, function, lines.get(number, []), eager.get(number, []),
                                    expected.get(number, []))
                if complaint:
                    found.setdefault(number, complaint)
        return found

    def _lines(self, way, text, functions, found):
        """What a way prints; when it breaks off, each program runs alone, to know which one did."""
        lines = self._runner.lines(way, text)
        if "status" not in lines:
            return lines
        gathered = {}
        for number, function in functions.items():
            alone = self._runner.lines(way, batch_text({number: function}))
            if "status" in alone:
                found.setdefault(number, Complaint(way, f"status {alone['status']}"))
            gathered.update(alone)
        return gathered

    def _complaint(self, statements, ways):
        """The complaint about the statements alone, and their text; None when they are none."""
        made = writer.Writer(0, self._globals)
        for statement in statements:
            if not made.account.run(statement):
                return None, ""
        text = function_text(0, made.account, statements)
        return self._complaints({0: text}, ways).get(0), text

    def shrink(self, statements, complaint):
        """Drops statements while the complaint stays; returns the program as text."""
        ways = ["eager"] + [complaint.way] * (complaint.way != "eager")
        kept, text = statements, ""
        part = max(len(statements) // 2, 1)
        while part:
            for start in range(len(kept) - part, -part, -part):
                fewer = kept[:max(start, 0)] + kept[start + part:]
                again, shorter = self._complaint(fewer, ways)
                if again == complaint:
                    kept, text = fewer, f"{shorter}{again}\n"
            part //= 2
        return text or "alone, it does not differ"


def known_ways(options):
    """The ways to run, eager first."""
    chosen = options.way or WAYS
    return ["eager"] + [way for way in chosen if way != "eager"]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--count", type=int, default=2000, help="number of programs")
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--way", action="append", choices=sorted({**WAYS, **GPU_WAYS}), help="only these")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--batch", type=int, default=100, help="programs of one file")
    parser.add_argument("--devices", type=int, default=0, help="batches take turns on so many GPUs")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no batch after so many")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one batch")
    options = parser.parse_args()
    options.strider = str(Path(options.strider).resolve())
    options.ways = known_ways(options)
    return options


_comparison = None
_deadline = float("inf")


def start_worker(options, folder):
    """Gives each worker process its own comparison."""
    global _comparison, _deadline
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    _comparison = Comparison(options, folder)
    _deadline = time.monotonic() + options.seconds


def check_batch(seeds):
    """Compares one batch in a worker; None when there is no time left to begin it."""
    return _comparison.check(seeds) if time.monotonic() < _deadline else None


def shrink_program(statements, complaint):
    """Cuts one program down in a worker."""
    return _comparison.shrink(statements, complaint)


def run(options, pool):
    """Compares all programs, printing each failure; returns (compared, failed)."""
    end = options.seed + options.count
    batches = (range(start, min(start + options.batch, end))
               for start in range(options.seed, end, options.batch))
    compared = failed = 0
    # Few wait at a time, so that a failure is cut down soon, beside the others.
    pending, shrunk = collections.deque(), []
    while failed < options.failures:
        pending.extend((batch, pool.submit(check_batch, batch))
                       for batch in itertools.islice(batches, 2 * options.jobs - len(pending)))
        if not pending:
            break
        batch, future = pending.popleft()
        found = future.result()
        if found is None:
            break
        for seed, (statements, complaint) in found.items():
            failed += 1
            print(f"FAILED seed {seed}: {complaint}", flush=True)
            if not options.no_shrink:
                shrunk.append((seed, pool.submit(shrink_program, statements, complaint)))
        compared += len(batch)
    for _, future in pending:
        future.cancel()
    for seed, future in shrunk:
        print(f"Seed {seed}, cut down:\n{future.result()}", flush=True)
    return compared, failed


def main():
    """Compares the programs; the status is 1 when one differs."""
    options = read_options()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor(
            options.jobs, initializer=start_worker, initargs=(options, folder)) as pool:
        compared, failed = run(options, pool)
    print(f"ways: python3, {', '.join(options.ways)} ({time.monotonic() - started:.1f} s)")
    print(f"{compared - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
