#!/usr/bin/env python3
"""Runs NumPy's own tests, as its package brings them, under strider.

    tests/numpy_suite/run.py --strider build/release/bin/strider [--jobs 2] [--files PART] [--cases PART]
                             [--show] [--record]

A file of tests passes when as many of its cases pass as passed.txt says, or more; --record writes anew what
that holds. --show tells each case that fails, and why; with --strider .venv/bin/python3 it is NumPy itself that
runs. Nothing of NumPy's tests is kept here. What they import from NumPy's inside is taken from where programs
find it, and a test of what has no public name fails.
"""

import argparse
import ast
import concurrent.futures
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
FLOORS = HERE / "passed.txt"
PACKAGE = Path(numpy.__file__).parent
MOST_CRASHES = 20  # of a file
# What programs cannot reach: building, the C interface, types of machine instructions.
OUTSIDE = ("f2py", "typing", "distutils", "_pyinstaller", "test_simd", "test_cpu_", "test_cython", "test_mem_policy",
           "test_limited_api", "test_extending", "test_configtool", "test_numpy_config", "test_public_api",
           "test_lazyloading", "test_reloading", "test_custom_dtypes", "test_extint128", "test_hashtable",
           "test_scripts", "test_warnings", "test_umath_accuracy", "test_argparse", "test_multithreading")


def find_files(part):
    """NumPy's files of tests."""
    found = sorted(PACKAGE.rglob("tests/test_*.py"))
    names = [str(path.relative_to(PACKAGE)) for path in found]
    return [name for name in names if part in name and not any(each in name for each in OUTSIDE)]


def public_import(statement, name, module):
    """An import that looks in public where NumPy's inside has no such name."""
    if not module.startswith("numpy"):
        return statement
    known = name.asname or name.name
    return f"try: {statement}\nexcept ImportError: {known} = find_public({name.name.split('.')[-1]!r})"


def imports(node):
    """The names of an import statement, each as a statement."""
    for name in node.names:
        alias = f" as {name.asname}" if name.asname else ""
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            statement = f"from {module} import {name.name}{alias}"
            yield statement if name.name == "*" else public_import(statement, name, module)
        else:
            statement = f"import {name.name}{alias}"
            yield public_import(statement, name, name.name) if name.asname else statement


def pieces_of(path):
    """The statements of a file with their lines; an import's names apart."""
    source = path.read_text()
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((first, statement) for statement in imports(node))
        else:
            yield first, "".join(lines[first - 1:node.end_lineno])


def run_worker(command):
    """The lines that a worker told, and the number and name of the case in which it was lost, if it was."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    lines = done.stdout.splitlines()
    if lines and lines[-1] == "DONE":
        return lines, None
    begun = [line.split(" ", 2) for line in lines if line.startswith("RUN ")]
    return lines, (int(begun[-1][1]), begun[-1][2], done.returncode) if begun else None


def run_file(strider, name, part, folder):
    """How many cases of a file passed, and what was told of the others."""
    pieces = Path(folder) / (name.replace("/", ".") + ".json")
    path = PACKAGE / name
    pieces.write_text(json.dumps({"name": path.stem, "file": str(path), "pieces": list(pieces_of(path))}))
    first, told, crashes = 0, [], 0
    while crashes <= MOST_CRASHES:
        lines, lost = run_worker([strider, HERE / "worker.py", pieces, str(first), part])
        told += lines
        if lost is None:
            break
        first, case, status = lost
        told.append(f"FAIL {case}: ended with status {status}")
        crashes += 1
    passed = sum(line.startswith("PASS ") for line in told)
    return passed, [line for line in told if line.startswith(("FAIL ", "TOP "))]


def read_floors():
    """How many cases of each file passed when that was last written down."""
    words = (line.rsplit(" ", 1) for line in FLOORS.read_text().splitlines() if not line.startswith("#"))
    return {name: int(count) for name, count in words}


def write_floors(floors):
    """Writes that down."""
    text = "".join(f"{name} {passed}\n" for name, passed in sorted(floors.items()))
    FLOORS.write_text(f"# Cases that passed, NumPy {numpy.__version__}\n{text}")


def main():
    """Runs the files side by side; the status is 1 where fewer cases pass than did."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--strider", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--files", default="", help="part of the files' names")
    parser.add_argument("--cases", default="", help="part of the cases' names")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    names = find_files(options.files)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda name: run_file(options.strider, name, options.cases, folder), names))
    counts = {name: passed for name, (passed, _) in zip(names, results)}
    if options.show:
        for name, (passed, told) in zip(names, results):
            print(f"{name}: {passed} passed, {len(told)} told", *told, sep="\n  ")
    floors = {} if options.cases else read_floors()
    if options.record and not options.cases:
        floors = {**floors, **counts}
        write_floors(floors)
    fewer = [name for name in names if counts[name] < floors.get(name, 0)]
    for name in fewer:
        print(f"FAILED: {name}: {counts[name]} cases pass, {floors[name]} did")
    cases = sum(counts.values()) + sum(len(told) for _, told in results)
    print(f"{sum(counts.values())} of {cases} cases pass")
    print(f"{len(names) - len(fewer)} passed, {len(fewer)} failed")
    return 1 if fewer else 0


if __name__ == "__main__":
    sys.exit(main())
