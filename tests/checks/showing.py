#!/usr/bin/env python3
"""Checks where figures appear without a front: in terminals of several kinds, and nowhere else; and what is said
where the drawing plug-in is missing."""

import argparse
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path

PROGRAM = "import matplotlib.pyplot as plt; plt.plot([1, 3, 2]); plt.show(); print(plt.get_fignums())"
IMAGES = {
    "kitty": ({"TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"}, rb"\x1b_G"),
    "iTerm2": ({"TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"}, rb"\x1b\]1337;File="),
    "sixels": ({"TERM": "mlterm"}, rb"\x1bP[0-9;]*q"),
    "true colours": ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, rb"\x1b\[[0-9;]*48;2;"),
    "256 colours": ({"TERM": "xterm-256color"}, rb"\x1b\[[0-9;]*48;5;"),
}


def environment(settings):
    kept = {name: value for name, value in os.environ.items()
            if not re.match("TERM|COLORTERM|KITTY|LC_TERMINAL|ITERM|WEZTERM|TMUX|VTE", name)}
    return {**kept, **settings}


def in_terminal(strider, settings):
    """What a terminal of 70 columns and 24 rows would be sent."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
    process = subprocess.Popen([strider, "-c", PROGRAM], stdin=theirs, stdout=theirs, stderr=theirs,
                               env=environment(settings))
    os.close(theirs)
    seen = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    process.wait()
    os.close(ours)
    return seen


def checks(strider):
    """Yields the name of each check and what is wrong, or None."""
    for name, (settings, pattern) in IMAGES.items():
        seen = in_terminal(strider, settings)
        good = re.search(pattern, seen) and seen.rstrip().endswith(b"[]")
        yield name, None if good else f"sent {seen[:200]!r}"
    seen = in_terminal(strider, {"TERM": "dumb"})
    yield "a dumb terminal", None if seen.strip() == b"[1]" else f"sent {seen[:200]!r}"
    done = subprocess.run([strider, "-c", PROGRAM], capture_output=True, text=True, env=environment({}))
    yield "a pipe", None if (done.stdout, done.stderr) == ("[1]\n", "") else done.stdout + done.stderr
    done = subprocess.run([strider, "-c", PROGRAM], capture_output=True, text=True,
                          env={**os.environ, "STRIDER_PLUGIN_FOLDER": "/nowhere"})
    last = done.stderr.strip().split("\n")[-1]
    good = last.startswith("ImportError: figures cannot be drawn: ") and done.returncode == 1
    yield "no plug-in", None if good else done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strider", required=True)
    strider = str(Path(parser.parse_args().strider).resolve())
    passed = failed = 0
    for name, wrong in checks(strider):
        passed, failed = passed + (wrong is None), failed + (wrong is not None)
        if wrong is not None:
            print(f"FAILED: {name}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
