#!/usr/bin/env python3
"""Packs what the tests need on a machine with a GPU that has no compilers and none of our packages.

    tests/gpu/pack.py [--build build/release] [--python .venv/bin/python3] FOLDER

Writes into FOLDER:

    built.tar.xz      programs, plug-ins and unit tests without symbols, the shared libraries that
                      they need beyond those of every system, fonts, time zones
    expected.json.xz  what the test programs print under python3
    commit            the commit that was built

The checkout itself must be there too; tests/gpu/check.py runs the tests. Needs a finished build.
"""

import argparse
import json
import lzma
import queue
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import run as programs_test  # noqa: E402

PROGRAMS = ("strider", "cuda_tests", "cuda_rendering", "cuda_nnet_floor")
# Opened at run time, with what they need.
OPENED = ("libopenblas.so.0", "libgfortran.so.5", "libquadmath.so.0")
LEFT_OUT = ("libstrider_compiler.so",)  # LLVM is larger than all else; loops are interpreted there
# Of every system with glibc and GCC's runtime.
EVERYWHERE = re.compile(r"ld-linux|lib(c|m|mvec|dl|rt|pthread|stdc\+\+|gcc_s)\.so|linux-vdso")
FONTS = Path("/usr/share/fonts/truetype/dejavu")
ZONES = Path("/usr/share/zoneinfo")


def needed_libraries(files):
    """The shared libraries behind the files, as {name: path}."""
    found = {}
    for file in files:
        text = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
        found.update(re.findall(r"(\S+) => (/\S+)", text))
    cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for name in OPENED:
        found[name] = re.search(rf"{re.escape(name)} .*=> (\S+)", cache)[1]
    return {name: path for name, path in found.items() if not EVERYWHERE.search(name)}


def pack_built(build, target):
    """Writes the archive of what was built."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in ("bin", "lib/strider", "libs", "fonts"):
            (tree / name).mkdir(parents=True)
        copied = [(build / "bin" / name, tree / "bin" / name) for name in PROGRAMS]
        copied += [(file, tree / "lib/strider" / file.name)
                   for file in (build / "lib/strider").glob("*.so") if file.name not in LEFT_OUT]
        libraries = needed_libraries([source for source, _ in copied])
        copied += [(path, tree / "libs" / name) for name, path in libraries.items()]
        for source, place in copied:
            shutil.copy(source, place)
            subprocess.run(["strip", place], check=True)
        for font in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"):
            shutil.copy(FONTS / font, tree / "fonts")
        shutil.copytree(ZONES, tree / "zoneinfo", symlinks=True, ignore=shutil.ignore_patterns("posix", "right"))
        with tarfile.open(target, "w:xz", preset=6) as archive:
            archive.add(tree, ".")


def expected_results(options):
    """What python3 prints for every program that has a counterpart there."""
    arguments = argparse.Namespace(cache=HERE.parents[1] / "build/expected", expected=None, mode="default",
                                   timeout=60)
    arguments.cache.mkdir(parents=True, exist_ok=True)
    oracles = queue.Queue()
    oracles.put(programs_test.Oracle(options.python))
    results = {}
    for program in programs_test.find_programs(programs_test.default_paths(), ""):
        results[program.name] = programs_test.expected_result(program, arguments, oracles)
    oracles.get().close()
    return results


def main():
    """Packs everything."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=HERE.parents[1] / "build/release")
    parser.add_argument("--python", default=str(HERE.parents[1] / ".venv/bin/python3"), help="with NumPy 2")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    expected = expected_results(options)  # ends here where it has no NumPy
    with lzma.open(options.folder / "expected.json.xz", "wt") as file:
        json.dump(expected, file)
    pack_built(options.build.resolve(), options.folder / "built.tar.xz")
    commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"], capture_output=True,
                            text=True, check=True).stdout
    (options.folder / "commit").write_text(commit)
    for file in sorted(options.folder.iterdir()):
        print(f"{file.stat().st_size / 2**20:7.1f} MiB  {file}")


if __name__ == "__main__":
    main()
