#!/usr/bin/env python3
"""Runs the tests of the notebook kernel with Debian's Jupyter; the last line is "N passed, N failed".

The kernel is made known in a folder of its own, so nothing of the user's is touched. --browser adds
the tests in headless Chromium (browser.py).
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"  # the one that sees Debian's packages
SANITIZERS = ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")


def environment(scratch, strider):
    """Returns variables that keep Jupyter within a scratch folder, where the kernel is known."""
    subprocess.run([strider, "kernel", "install", "--prefix", scratch], check=True,
                   stdout=subprocess.DEVNULL)
    made = {**os.environ, "STRIDER": strider, "JUPYTER_PATH": f"{scratch}/share/jupyter",
            "XDG_STATE_HOME": f"{scratch}/state", "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"):
        made[f"JUPYTER_{name}"] = f"{scratch}/{name.lower()}"
        os.makedirs(made[f"JUPYTER_{name}"])
    for name in SANITIZERS:
        made[name] = ":".join([*filter(None, [os.environ.get(name)]), f"log_path={scratch}/report"])
    return made


def reports(scratch):
    """What sanitizers found in kernels that are built with them."""
    return [path.read_text(errors="replace") for path in sorted(Path(scratch).glob("report.*"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strider", required=True)
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("tests", nargs="*", help="pytest's arguments (all tests)")
    options = parser.parse_args()
    strider = os.path.abspath(options.strider)
    if not os.path.exists(os.path.join(os.path.dirname(strider), "strider-kernel")):
        print("the kernel was not built (xeus is not installed): nothing to test")
        print("0 passed, 0 failed")
        return 0
    with tempfile.TemporaryDirectory(prefix="strider-kernel-") as scratch:
        variables = environment(scratch, strider)
        words = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options.tests]
        done = subprocess.run(words, cwd=FOLDER, env=variables, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(done.stdout)
        summary = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
        counts = {word: int(number) for number, word in re.findall(r"(\d+) (\w+)", summary)}
        passed = counts.get("passed", 0)
        failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
        if done.returncode and not failed:
            failed = 1
        found = reports(scratch)
        print(*found, sep="\n", end="")
        failed += len(found)
        if options.browser:
            status = subprocess.run([sys.executable, str(FOLDER / "browser.py"),
                                     "--strider", strider], env=variables,
                                    stdin=subprocess.DEVNULL).returncode
            passed, failed = passed + (status == 0), failed + (status != 0)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
