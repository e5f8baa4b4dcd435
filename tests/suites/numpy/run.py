#!/usr/bin/env python3
"""Runs NumPy's own tests, as its package brings them, under strider.

    tests/suites/numpy/run.py --strider build/release/bin/strider [--jobs 2] [--files PART] [--cases PART]
                             [--show] [--record]

passed.txt is the record (see recorded.py); --record writes it anew. --show tells each case that fails, and why;
with --strider .venv/bin/python3 it is NumPy itself that runs. Nothing of NumPy's tests is kept here. What they
import from NumPy's inside is taken from where programs find it, and a test of what has no public name fails.
"""

import ast
import json
import sys
import tempfile
from pathlib import Path

import numpy

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import recorded  # noqa: E402

PACKAGE = Path(numpy.__file__).parent
# What programs cannot reach: building, the C interface, types of machine instructions.
OUTSIDE = ("f2py", "test_typing", "test_isfile", "distutils", "_pyinstaller", "test_simd", "test_cpu_",
           "test_cython", "test_mem_policy", "test_limited_api", "test_extending", "test_configtool",
           "test_reloading", "test_custom_dtypes", "test_extint128", "test_hashtable", "test_scripts",
           "test_warnings", "test_umath_accuracy", "test_argparse")


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


def helpers_of(path):
    """The files of tests from which a file takes names, by their modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and not node.level and ".tests." in (node.module or ""):
            yield PACKAGE.parent / (node.module.replace(".", "/") + ".py")


def described(path):
    """A file for a worker: its name and its statements."""
    return {"name": path.stem, "file": str(path), "pieces": list(pieces_of(path))}


def main():
    """Runs the files side by side."""
    options = recorded.parse_options(__doc__.split("\n")[0])
    with tempfile.TemporaryDirectory() as folder:
        def run_file(name):
            pieces = Path(folder) / (name.replace("/", ".") + ".json")
            path = PACKAGE / name
            helpers = [described(helper) for helper in sorted(set(helpers_of(path))) if helper.exists()]
            pieces.write_text(json.dumps({**described(path), "helpers": helpers}))
            return recorded.run_cases(
                lambda first: [options.strider, HERE / "worker.py", pieces, first, options.cases])

        return recorded.run_suite(options, find_files(options.files), run_file, HERE / "passed.txt",
                                  f"Cases that passed, NumPy {numpy.__version__}")


if __name__ == "__main__":
    sys.exit(main())
