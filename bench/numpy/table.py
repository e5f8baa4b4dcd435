"""Reads the rows of rows/*.txt and writes programs of them.

A line is `statement | inputs | types | sizes`: inputs are assignments that know n, the number of
elements, and t, the type; types are codes of NumPy, a row for each; sizes say `least-most`. Inputs
left out are `x = vector(n, t)`, types left out f8, sizes left out 1-1e7. A line `inputs: ...`,
`types: ...` or `sizes: ...` says what holds where lines leave it out, to the end of the file. An
expression's value is computed; of a statement that assigns, the array it changes.
Knows nothing of timing.
"""

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEFAULTS = {"inputs": "x = vector(n, t)", "types": "f8", "sizes": "1-1e7"}
MODULES = ("array ast base64 bisect calendar collections colorsys copy csv dataclasses datetime "
           "decimal difflib enum fnmatch fractions functools hashlib heapq html io itertools json "
           "math operator os pathlib pickle pprint random re shlex statistics string struct textwrap "
           "urllib.parse uuid zlib").split()  # what rows may use
LANGUAGE = "language"  # the type of rows without arrays, whose values are never late
PLAIN = ("x = vector(n, t)", "y = vector(n, t, 2)", "n = n")  # inputs that names leave out
ASSIGNED = re.compile(r"^\s*(\w+(?:\s*,\s*\w+)*)\s*=[^=]")
CHANGED = re.compile(r"^\s*(\w+)(\[.*?\])?\s*([-+*/%&|^@]|//|\*\*|<<|>>)?=[^=]")


class Row:
    """A statement, the text of its inputs, its type and the sizes it is for."""

    def __init__(self, group, statement, inputs, kind, sizes):
        self.group, self.statement, self.inputs, self.kind = group, statement, inputs, kind
        self.least, self.most = (int(float(size)) for size in sizes.split("-"))

    @property
    def name(self):
        """What tells it from the others."""
        parts = [part.strip() for part in self.inputs.split(";")]
        told = [part for part in parts if part not in PLAIN and any(
            re.search(rf"\b{name}\b", self.statement) for name in names_bound(part))]
        return f"{self.statement} [{self.kind}]" + (f", {'; '.join(told)}" if told else "")

    def names(self):
        """The names that its inputs bind."""
        return list(dict.fromkeys(
            name for part in self.inputs.split(";") for name in names_bound(part)))


def names_bound(assignment):
    """The names that a text like `a, b = ...` binds."""
    match = ASSIGNED.match(assignment)
    return [name.strip() for name in match.group(1).split(",")] if match else []


def read_file(path):
    """The rows of one file."""
    defaults = dict(DEFAULTS)
    for line in path.read_text().splitlines():
        head, colon, rest = line.partition(":")
        if colon and head in DEFAULTS:
            defaults[head] = rest.strip() or DEFAULTS[head]
        elif line.strip() and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split(" | ")] + ["", "", ""]
            inputs, kinds, sizes = (cells[i] or defaults[key] for i, key in enumerate(DEFAULTS, 1))
            for kind in kinds.split():
                yield Row(path.stem, cells[0], inputs, kind, sizes)


def read_rows(folder):
    """All rows of a folder, by file."""
    return [row for path in sorted(folder.glob("*.txt")) for row in read_file(path)]


def functions(number, row, strider):
    """The text of a row's two functions: one makes the inputs, one times so many calls."""
    names = ", ".join(row.names())
    inputs = [part.strip() for part in row.inputs.split(";")]
    changed = CHANGED.match(row.statement)
    plain = changed or row.statement.startswith(("for ", "del "))
    body = row.statement if plain else f"result = {row.statement}"
    loop = ["for _ in range(calls):", f"    {body}"]
    settles = strider and row.kind != LANGUAGE
    settle = [f"    np.evaluate({changed.group(1) if changed else 'result'})"] if settles else []
    return "\n".join([
        f"def inputs_{number}(n):", f"    t = '{row.kind}'", *(f"    {part}" for part in inputs),
        f"    return ({names},)", "",
        f"def time_{number}(calls, settle, {names}):", "    result = None",
        "    start = time.perf_counter()", "    if settle:",
        *(f"        {line}" for line in loop + settle), "    else:",
        *(f"        {line}" for line in loop), "    return time.perf_counter() - start", ""])


def program(rows, strider):
    """The text of a program that times the rows in strider, or in NumPy."""
    text = " ".join(f"{row.statement} {row.inputs}" for row in rows)
    head = ["import time", "import numpy as np",
            *(f"import {name}" for name in MODULES if f"{name}." in text),
            "np.seterr(all='ignore')", f"STRIDER = {strider}"]
    texts = [functions(number, row, strider) for number, row in enumerate(rows)]
    tails = [f"INPUTS = [{', '.join(f'inputs_{i}' for i in range(len(rows)))}]",
             f"TIMES = [{', '.join(f'time_{i}' for i in range(len(rows)))}]", ""]
    return "\n".join([*head, *texts, *tails, (HERE / "worker.npx").read_text()])
