#!/usr/bin/env python3
"""Compares random array programs under python3 with NumPy and under strider.

    tests/random_programs.py --strider build/release/bin/strider [--count 100] [--seed 0]

A program makes arrays, takes views of them, writes through the views, computes, selects and
reduces; after each statement it prints what changed, or the error. Values are small multiples of a
quarter, so every result is exact. A program that differs is cut down to the statements that matter
and printed. Needs NumPy here: the generator runs each statement to know the shapes.
"""

import argparse
import contextlib
import io
import random
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import run as runner

DTYPES = ("bool", "int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32",
          "float64", "complex128")
SHAPES = ((), (1,), (4,), (6,), (0,), (2, 3), (3, 2), (3, 1), (1, 4), (2, 0), (2, 3, 2), (4, 4))
BINARY = ("+", "-", "*", "/", "//", "%", "&", "|", "^", "<", ">", "==", "!=", ">=")
FUNCTIONS = ("np.add", "np.subtract", "np.multiply", "np.maximum", "np.minimum", "np.fmax",
             "np.logical_and", "np.logical_or", "np.hypot", "np.copysign", "np.floor_divide",
             "np.remainder", "np.greater", "np.equal", "np.bitwise_or", "np.where(True,")
UNARY = ("-{}", "+{}", "abs({})", "~{}", "np.sign({})", "np.square({})", "np.floor({})",
         "np.isnan({})", "np.logical_not({})", "np.conj({})", "np.clip({}, -1, 2)", "np.rint({})")
REDUCE = ("sum", "prod", "max", "min", "any", "all", "argmax", "argmin", "cumsum", "mean", "ptp",
          "count_nonzero", "cumprod", "nansum", "sort", "argsort", "flip", "median")
REARRANGE = ("{}.T", "{}.ravel()", "{}[None]", "{}[..., None]", "{}.reshape(-1)", "{}.copy()",
             "{}[::-1]", "{}[..., ::-1]", "{}[::2]", "{}[1:]", "{}[..., :-1]", "np.atleast_2d({})",
             "np.squeeze({})", "np.roll({}, 1)", "np.repeat({}, 2)", "np.tile({}, 2)",
             "{}.flatten()", "np.rot90({})", "np.swapaxes({}, 0, -1)", "{}[[0, -1]]", "{}[0]",
             "{}[:, 0]", "{}[{} > 0]", "{}[..., [0, 0]]", "np.diff({})", "np.triu({})",
             "np.concatenate([{}, {}])", "np.stack([{}, {}])", "np.pad({}, 1)", "np.unique({})",
             "np.nonzero({})", "{}.reshape(2, -1)", "{}.real", "np.diag({})", "{}.tolist()",
             "np.broadcast_to({}, (2,) + {}.shape)", "np.take({}, [0, 0], axis=-1)")
TARGETS = ("{}[...]", "{}[0]", "{}[::2]", "{}[..., 0]", "{}[1:]", "{}[::-1]", "{}[{} > 0]",
           "{}[[0, 0]]", "{}.T[...]", "{}.flat[0]", "{}[..., ::-1]", "{}[{} == 0]", "{}[-1:]")
IN_PLACE = ("=", "=", "+=", "-=", "*=", "//=", "/=", "|=", "**=", "%=")


class Writer:
    """Makes one random program, running it as it grows."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._names = {}
        self.statements = []

    def write(self, length):
        """Adds that many statements."""
        makers = (self._create, self._rearrange, self._rearrange, self._assign, self._assign,
                  self._compute, self._compute, self._reduce, self._cast, self._function)
        for _ in range(2):
            self._add(self._create())
        for _ in range(length):
            self._add(self._random.choice(makers)())

    def _add(self, statement):
        self.statements.append(statement)
        with contextlib.suppress(Exception), np.errstate(all="ignore"):
            exec(statement, {"np": np}, self._names)
        for name, value in list(self._names.items()):
            if not isinstance(value, np.ndarray) or value.size > 200 or value.dtype == object:
                del self._names[name]

    def _pick(self):
        return self._random.choice(sorted(self._names)) if self._names else "np.arange(3)"

    def _fresh(self):
        return self._random.choice("abcdef")

    def _fill(self, template):
        name = self._pick()
        return template.format(*[name] * template.count("{}"))

    def _operand(self):
        if self._random.random() < 0.3:
            return self._random.choice(("2", "0", "-1", "1.5", "True", "3", "0.25"))
        return self._pick()

    def _create(self):
        shape, dtype = self._random.choice(SHAPES), self._random.choice(DTYPES)
        size = int(np.prod(shape))
        step = self._random.choice((1, 1, 3, 0.25)) if "float" in dtype else 1
        start = self._random.choice((0, -2, 1))
        return (f"{self._fresh()} = (np.arange({size}) * {step} + {start})"
                f".astype('{dtype}').reshape({shape})")

    def _rearrange(self):
        return f"{self._fresh()} = {self._fill(self._random.choice(REARRANGE))}"

    def _compute(self):
        operator = self._random.choice(BINARY)
        return f"{self._fresh()} = {self._operand()} {operator} {self._pick()}"

    def _function(self):
        if self._random.random() < 0.5:
            return f"{self._fresh()} = {self._fill(self._random.choice(UNARY))}"
        function = self._random.choice(FUNCTIONS)
        opening = "" if function.endswith(",") else "("
        return f"{self._fresh()} = {function}{opening}{self._pick()}, {self._operand()})"

    def _cast(self):
        return f"{self._fresh()} = {self._pick()}.astype('{self._random.choice(DTYPES)}')"

    def _reduce(self):
        axis = self._random.choice(("", "", ", axis=0", ", axis=-1", ", axis=1"))
        return f"{self._fresh()} = np.{self._random.choice(REDUCE)}({self._pick()}{axis})"

    def _assign(self):
        target = self._fill(self._random.choice(TARGETS))
        return f"{target} {self._random.choice(IN_PLACE)} {self._operand()}"


def program_text(statements):
    """The program that runs the statements and prints after each."""
    lines = ["import numpy as np", "np.seterr(all='ignore')", ""]
    for statement in statements:
        name = statement[0]
        lines += ["try:", f"    {statement}", f"    print({statement!r}, repr({name}))",
                  "except Exception as error:",
                  f"    print({statement!r}, type(error).__name__, error)"]
    lines += ["for name in 'abcdef':", "    if name in globals():",
              "        print(name, repr(globals()[name]))"]
    return "\n".join(lines) + "\n"


class Comparison:
    """Runs programs on both sides."""

    def __init__(self, options, folder):
        self._options = options
        self._path = folder / "program.npx"
        self._oracle = runner.Oracle(options.python)

    def difference(self, statements):
        """How the two outputs differ, or ''."""
        self._path.write_text(program_text(statements))
        program = runner.Program(self._path)
        expected = self._oracle.run(program, self._options.timeout)
        return runner.difference(expected, runner.strider_result(program, self._options))

    def shrink(self, statements):
        """Drops statements as long as a difference stays."""
        part = max(len(statements) // 2, 1)
        while part:
            start = 0
            while start < len(statements):
                fewer = statements[:start] + statements[start + part:]
                if fewer and self.difference(fewer):
                    statements = fewer
                else:
                    start += part
            part //= 2
        return statements


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--count", type=int, default=100, help="number of programs")
    parser.add_argument("--length", type=int, default=20, help="statements in a program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mode", choices=sorted(runner.MODES), default="default")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--timeout", type=float, default=10)
    options = parser.parse_args()
    options.strider = str(Path(options.strider).resolve())
    return options


def main():
    """Compares the programs; the status is 1 when one differs."""
    warnings.simplefilter("ignore")
    options = read_options()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        comparison = Comparison(options, Path(folder))
        for seed in range(options.seed, options.seed + options.count):
            writer = Writer(seed)
            with contextlib.redirect_stdout(io.StringIO()):
                writer.write(options.length)
            if comparison.difference(writer.statements):
                failed += 1
                fewer = comparison.shrink(writer.statements)
                print(f"seed {seed}\n{comparison.difference(fewer)}", flush=True)
    print(f"{options.count - failed} equal, {failed} different")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
