#!/usr/bin/env python3
"""Checks what can be checked of the house style: file and line lengths, opening comments, forbidden words,
files that a program left behind."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE_LIMIT, TABLE_LIMIT, LINE_LIMIT = 500, 800, 100
# What programs write: no source, but for the logos.
WRITTEN = {".png", ".svg", ".jpg", ".pdf", ".gif", ".npy", ".npz", ".log", ".pyc"}
LOGOS = "jupyter-kernel"
UNDONE = re.compile(r"\b(?:TO" + "DO|FIX" + "ME|XX" + r"X)\b")


def tracked():
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in names.stdout.splitlines()]


def is_table(path):
    return path.suffix == ".def" or "tests" in path.parts or path.suffix == ".txt"


def complaints(path):
    name = str(path.relative_to(ROOT))
    lines = path.read_text(encoding="utf-8").splitlines() or [""]
    limit = TABLE_LIMIT if is_table(path) else FILE_LIMIT
    if len(lines) > limit:
        yield f"{name}: {len(lines)} lines (limit {limit})"
    if path.suffix in (".h", ".cpp") and not lines[0].startswith("//"):
        yield f"{name}: does not open with a comment that says what it does"
    if path.suffix == ".h" and "#pragma once" not in lines:
        yield f"{name}: no #pragma once"
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LIMIT and path.suffix in (".h", ".cpp") and "http" not in line:
            yield f"{name}:{number}: {len(line)} columns"
        if UNDONE.search(line) and path.suffix in (".h", ".cpp", ".npx"):
            yield f"{name}:{number}: left undone"


def main():
    found = []
    for path in tracked():
        if path.suffix in (".h", ".cpp", ".def", ".npx", ".py") and path.exists():
            if "syntax_errors" not in path.parts and "seeds" not in path.parts:
                found += complaints(path)
        elif path.suffix in WRITTEN and path.parent != ROOT / LOGOS:
            found.append(f"{path.relative_to(ROOT)}: was left behind by a program")
    print("\n".join(found) or "style holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
