"""Runs a program under python3 with stdlib/*.npx in place of CPython's own modules.

Usage: shadow.py PROGRAM [ARGS]; with --all it compares every program of this folder's rooms with
plain python3 and prints those whose output differs.
"""
import glob
import importlib.abc
import importlib.util
import os
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "stdlib")


def find_source(name):
    """Returns (path, is_package) of the npx source of a module, or None."""
    base = os.path.join(ROOT, *name.split("."))
    if os.path.isfile(base + ".npx"):
        return base + ".npx", False
    if os.path.isfile(os.path.join(base, "__init__.npx")):
        return os.path.join(base, "__init__.npx"), True
    return None


class Loader(importlib.abc.Loader):
    """Compiles one npx file as a Python module."""

    def __init__(self, path):
        self.path = path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        with open(self.path, encoding="utf-8") as file:
            code = compile(file.read(), self.path, "exec", dont_inherit=True)
        module.__file__ = self.path
        exec(code, module.__dict__)


class Finder(importlib.abc.MetaPathFinder):
    """Answers imports of the modules that stdlib/ holds."""

    def find_spec(self, name, path=None, target=None):
        found = None if name.split(".")[0] == "numpy" else find_source(name)
        if found is None:
            return None
        spec = importlib.util.spec_from_loader(name, Loader(found[0]), is_package=found[1])
        if found[1]:
            spec.submodule_search_locations = [os.path.dirname(found[0])]
        return spec


def provide_native_modules():
    """Offers the interpreter's native modules that CPython names differently."""
    import zlib
    native = types.ModuleType("_zlib")
    for name in ("compress", "decompress", "crc32", "decompressobj", "compressobj", "error"):
        setattr(native, name, getattr(zlib, name))
    sys.modules["_zlib"] = native


def run(program):
    """Runs one program as __main__ with the npx modules in front."""
    with open(program, encoding="utf-8") as file:
        code = compile(file.read(), program, "exec", dont_inherit=True)
    provide_native_modules()
    for name in list(sys.modules):
        if name.split(".")[0] != "numpy" and find_source(name):
            del sys.modules[name]
    sys.meta_path.insert(0, Finder())
    main = types.ModuleType("__main__")
    main.__file__ = program
    sys.modules["__main__"] = main
    sys.path[0] = os.path.dirname(os.path.abspath(program))
    exec(code, main.__dict__)


def compare_all(command):
    """Compares every program here under python3 and under a command; returns the differing ones."""
    differing = []
    for path in sorted(glob.glob(os.path.join(HERE, "*", "*.npx"))):
        name = os.path.relpath(path, HERE)
        outcomes = [subprocess.run(start + [path], capture_output=True, text=True, cwd=HERE)
                    for start in ([sys.executable], command)]
        if outcomes[0].stdout != outcomes[1].stdout or outcomes[1].returncode:
            differing.append(name)
            print("DIFFERS", name)
            expected, got = (o.stdout.splitlines() for o in outcomes)
            for left, right in zip(expected + [None] * len(got), got + [None] * len(expected)):
                if left != right:
                    print("  python3:", left, "\n  here   :", right)
                    break
            print("  ", "\n   ".join(outcomes[1].stderr.splitlines()[-4:]))
    print(f"{len(differing)} differ")
    return differing


if __name__ == "__main__":
    if sys.argv[1] == "--all":
        shadow = [sys.executable, os.path.abspath(__file__)]
        sys.exit(bool(compare_all(sys.argv[2:] or shadow)))
    del sys.argv[0]
    run(sys.argv[0])
