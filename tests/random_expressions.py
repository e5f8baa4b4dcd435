#!/usr/bin/env python3
"""Compares random expressions over Python's own types under python3 and under strider.

    tests/random_expressions.py --strider build/release/bin/strider [--count 50] [--seed 0]

One program holds two hundred expressions: operators on mixed values, methods with odd arguments,
formats, slices, builtins and functions of math. Each prints its value or its error; the expressions
whose lines differ are shown. Knows nothing of arrays: random_programs.py compares those.
"""

import argparse
import random
import sys
import tempfile
from pathlib import Path

import run as runner

INTEGERS = ("0", "1", "-1", "2", "3", "-7", "10", "255", "2 ** 62", "-2 ** 63", "2 ** 63",
            "10 ** 20", "-3 ** 50", "True", "False", "12345678901234567890", "1 << 200")
FLOATS = ("0.0", "-0.0", "1.5", "-2.25", "1e16", "1e-7", "0.1", "1 / 3", "float('inf')",
          "float('nan')", "-1e300", "123456.789", "5e-324", "2.5", "1e22", "100.0")
COMPLEX = ("1j", "-2 + 0.5j", "complex('inf')", "0j", "3 + 4j")
TEXTS = ("''", "'a'", "'Hello World'", "' pad '", "'äöß日本🎉'", "'12'", "'-3.5e2'", "'a,b,,c'",
         "'line\\nbreak\\r\\nend'", "'%d %s'", "'{} {0}'", "'{:>5}'", "'tab\\there'", "'ABC' * 3",
         "'x=1;y=2'", "'\\x00\\ud800'", "\"it's\"", "'ﬁ İ ǆ'")
BYTES = ("b''", "b'abc'", "b'\\xff\\x00 1'", "bytearray(b'xyz')", "b'a,b'")
CONTAINERS = ("[]", "[1, 2, 3]", "['b', 'a']", "(1,)", "()", "(1, 'x', 2.5)", "{}", "{'a': 1, 2: 3}",
              "set()", "{1}", "frozenset({2})", "range(5)", "range(10, 0, -3)", "[[1], [2, 3]]",
              "[3, 1, 2]", "None", "...", "slice(1, None, 2)", "[1.5, True, None]", "{'k': [1]}")
SPECS = ("", "d", "5", "<8", ">8", "^9", "*^9", "+", " ", "05d", "x", "#x", "#o", "b", ",", "_", "e",
         ".2f", ".0f", "g", ".3g", "%", ".1%", "10.3e", "n", "c", "s", ".2", "8.3", "+.1f", "#.3g",
         "=+8", "08.2f", "_b", ",.2f", "z.1f", "é>4", "1000", "q", "5.", ".", ">", "-", "{}")
PERCENTS = ("%d", "%5d", "%-5d|", "%05d", "%+d", "%x", "%#o", "%s", "%r", "%10.3s|", "%f", "%.2f",
            "%e", "%g", "%c", "%%", "%5.1f%%", "%i", "%a", "%#x", "%.0f", "%G", "%q", "% d")
BINARY = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=",
          ">", "in", "not in", "is", "and", "or", "@")
UNARY = ("-{}", "+{}", "~{}", "not {}", "abs({})", "bool({})", "int({})", "float({})", "str({})",
         "repr({})", "len({})", "list({})", "tuple({})", "set({})", "sorted({})", "hash({}) and 1",
         "bin({})", "hex({})", "oct({})", "chr({})", "ord({})", "ascii({})", "bytes({})", "sum({})",
         "min({})", "max({})", "any({})", "all({})", "round({})", "round({}, 2)", "round({}, -1)",
         "complex({})", "list(reversed({}))", "list(enumerate({}))", "type({})", "dict({})",
         "callable({})", "iter({}) is None", "next(iter({}))", "frozenset({})", "divmod({}, 3)",
         "pow({}, 2)", "pow(3, {}, 7)", "range({})", "list(map(str, {}))", "[*{}]", "{{**{}}}",
         "list(zip({0}, {0}))", "isinstance({}, (int, str))", "format({})", "math.floor({})",
         "math.sqrt({})", "math.isqrt({})", "math.trunc({})", "math.log({})", "math.gcd({}, 12)",
         "math.fsum({})", "math.frexp({})", "math.isfinite({})",
         "math.copysign(1, {})", "math.modf({})", "math.comb(10, {})", "math.hypot({}, 1)",
         "eval(repr({}))", "json.dumps({})", "' '.join({})", "b' '.join({})", "'%s' % ({},)")
KINDS = {"int": INTEGERS, "float": FLOATS, "complex": COMPLEX, "str": TEXTS, "bytes": BYTES,
         "mixed": CONTAINERS}
SKIPPED = {"__class__", "format_map"}


class Expressions:
    """A source of random expressions."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def expression(self):
        """One expression as text."""
        return self._random.choice((self._binary, self._binary, self._unary, self._unary,
                                    self._method, self._method, self._method, self._format,
                                    self._percent, self._slice, self._compare))()

    def _value(self, depth=1):
        if depth and self._random.random() < 0.1:
            return f"({self._value(0)} {self._random.choice('+-')} {self._value(0)})"
        text = self._random.choice(self._random.choice(tuple(KINDS.values())))
        return f"({text})" if " " in text and text[0] not in "'\"[{(" else text

    def _binary(self):
        operator = self._random.choice(BINARY)
        right = self._random.choice(("0", "1", "3", "5", "-1")) \
            if operator in ("**", "<<", "*") else self._value()
        return f"{self._value()} {operator} {right}"

    def _compare(self):
        pool = self._random.choice(tuple(KINDS.values()))
        return f"({self._random.choice(pool)}) {self._random.choice(BINARY[12:17])} " \
               f"({self._random.choice(pool)})"

    def _unary(self):
        return self._random.choice(UNARY).format(self._value())

    def _method(self):
        value = self._value(0)
        names = [name for name in dir(eval(value)) if name not in SKIPPED
                 and (not name.startswith("__") or self._random.random() < 0.02)]
        names = names or ["missing"]
        count = self._random.choice((0, 0, 1, 1, 1, 2, 2, 3))
        arguments = ", ".join(self._argument() for _ in range(count))
        return f"show({value}, {self._random.choice(names)!r}, [{arguments}])"

    def _argument(self):
        return self._random.choice((
            self._random.choice(("0", "1", "2", "-1", "5", "20")), self._random.choice(TEXTS),
            self._random.choice(("'a'", "' '", "','", "'l'", "'utf-8'", "'*'", "b'a'", "None")),
            self._value(0)))

    def _format(self):
        if self._random.random() < 0.5:
            return f"format({self._value()}, {self._random.choice(SPECS)!r})"
        spec = self._random.choice(SPECS).replace("{", "{{").replace("}", "}}")
        return repr("{0:" + spec + "}|{0!r:>7}") + f".format({self._value()})"

    def _percent(self):
        return f"{self._random.choice(PERCENTS)!r} % ({self._value()},)"

    def _slice(self):
        bounds = [self._random.choice(("", "0", "1", "2", "-1", "-2", "7", "-9")) for _ in range(2)]
        step = self._random.choice(("", ":", ":1", ":2", ":-1", ":-2", ":0"))
        return f"{self._value()}[{':'.join(bounds)}{step}]"


PRELUDE = """try:
    import math, json
except ImportError:
    math = json = None
def show(value, name, arguments):
    result = getattr(value, name)
    result = result(*arguments) if callable(result) else result
    return (result, value) if name[0] != "_" else result
def attempt(text, make):
    try:
        made = make()
        print(text, "->", ascii(made), type(made).__name__)
    except Exception as error:
        print(text, "!!", type(error).__name__, ascii(str(error)))
"""


def program_text(expressions):
    """The program that prints each expression with its value or error."""
    return PRELUDE + "".join(
        f"attempt({ascii(text)}, lambda: {text})\n" for text in expressions)


def unstable(line):
    """True for a line that shows an address or an iterator."""
    return " object at 0x" in line or "_iterator" in line or "__hash__" in line \
        or "__sizeof__" in line or "__dir__" in line or "__reduce" in line or "__doc__" in line


def alike(wanted, got):
    """True if lines agree but for the order of a set or the words of a wrong argument count."""
    if wanted == got or unstable(wanted) or ("{" in wanted and sorted(wanted) == sorted(got)):
        return True
    errors = [line.partition(" !! TypeError ")[2] for line in (wanted, got)]
    return all("argument" in error or "expected" in error for error in errors)


def differing_lines(expected, actual):
    """Pairs of lines that differ."""
    wanted, got = expected.splitlines(), actual.splitlines()
    got += ["(nothing)"] * (len(wanted) - len(got))
    return [(a, b) for a, b in zip(wanted, got) if not alike(a, b)]


def read_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--count", type=int, default=50, help="number of programs")
    parser.add_argument("--length", type=int, default=200, help="expressions in a program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--mode", choices=sorted(runner.MODES), default="default")
    parser.add_argument("--flag", action="append", default=[])
    parser.add_argument("--timeout", type=float, default=10)
    options = parser.parse_args()
    options.strider = str(Path(options.strider).resolve())
    return options


def main():
    """Compares the programs; the status is 1 when an expression differs."""
    options = read_options()
    oracle = runner.Oracle(options.python)
    different = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.npx"
        for seed in range(options.seed, options.seed + options.count):
            source = Expressions(seed)
            path.write_text(program_text(source.expression() for _ in range(options.length)))
            program = runner.Program(path)
            expected = oracle.run(program, options.timeout)
            actual = runner.strider_result(program, options)
            for wanted, got in differing_lines(expected["stdout"], actual["stdout"]):
                different += 1
                print(f"- {wanted}\n+ {got}", flush=True)
            if actual["exit"] != expected["exit"]:
                print(f"seed {seed}: status {actual['exit']}, expected {expected['exit']}")
                print(actual["stderr"][-500:])
    print(f"{options.count * options.length} expressions, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
