#!/usr/bin/env python3
"""Runs what the documentation shows: every fenced `npx` block, and `output` blocks that follow must match.

A block may say `npx error`: it must end with an uncaught exception whose last line the output block shows. What the
documentation says is different or missing is held against both sides, too (differences.py).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import differences

TIME_FACTOR = float(os.environ.get("STRIDER_TIME_FACTOR", 1))  # builds with sanitizers are slow
ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(npx(?: error)?)\n(.*?)^```\n(?:\n?^```output\n(.*?)^```\n)?", re.M | re.S)


def run_block(strider, kind, code, expected):
    with tempfile.NamedTemporaryFile("w", suffix=".npx", delete=False) as file:
        file.write(code)
    done = subprocess.run([strider, file.name], capture_output=True, text=True, timeout=60 * TIME_FACTOR, cwd=ROOT)
    Path(file.name).unlink()
    wants_error = kind.endswith("error")
    if (done.returncode != 0) != wants_error:
        return f"status {done.returncode}\n{done.stderr}"
    got = done.stderr.strip().split("\n")[-1] + "\n" if wants_error else done.stdout
    if expected is not None and got != expected:
        return f"expected:\n{expected}got:\n{got}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strider", required=True)
    strider = str(Path(parser.parse_args().strider).resolve())
    passed = failed = 0
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            problem = run_block(strider, *match.groups())
            passed, failed = passed + (problem is None), failed + (problem is not None)
            if problem:
                print(f"{page.relative_to(ROOT)}:{line}: {problem}")
    wrong, count = differences.complaints(strider)
    print("".join(f"{each}\n" for each in wrong), end="")
    passed, failed = passed + count - len(wrong), failed + len(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
