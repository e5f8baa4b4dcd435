#!/usr/bin/env python3
"""Drives the prompt through a pseudo-terminal: echo, multi-line entries, history, Ctrl-C, Tab, pasting.

Knows the program only by what a person at a terminal types and sees.
"""

import argparse
import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
import time

from terminal_screen import Screen

TIME_FACTOR = float(os.environ.get("STRIDER_TIME_FACTOR", 1))  # builds with sanitizers are slow
PATIENCE = 15.0 * TIME_FACTOR
PROMPT, NEXT = ">>> ", "... "
CTRL_A, CTRL_C, CTRL_D, CTRL_G, CTRL_K, CTRL_R, CTRL_U, CTRL_W, CTRL_Y, CTRL_Z, UNDO, TAB = (
    "\x01", "\x03", "\x04", "\x07", "\x0b", "\x12", "\x15", "\x17", "\x19", "\x1a", "\x1f", "\t")
UP, DOWN, RIGHT, LEFT, HOME, SHIFT_TAB = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[Z"


class Terminal:
    """One program in a pseudo-terminal of its own, with its own home; what it writes is followed on a
    screen (terminal_screen.py)."""

    def __init__(self, program, home, columns=80, rows=24, term="xterm", **environment):
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(home)
            known = {"HOME": home, "TERM": term, "LANG": "C.UTF-8", "PATH": os.environ["PATH"]}
            os.execve(program[0], program, known | environment)
        self.raw = b""
        self.screen = Screen(columns, rows)
        self.resize(columns, rows)
        self.mark = 0
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def resize(self, columns, rows):
        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.columns, self.screen.rows = columns, rows

    def pump(self, seconds):
        """Reads what has come within the time; False at the end."""
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.end, 65536)
        except OSError:
            data = b""
        self.raw += data
        self.screen.feed(self.decoder.decode(data))
        return bool(data)

    def text(self):
        """What stands on the screen from the line of the last step on."""
        return self.screen.text(self.mark)

    def wait(self, what=PROMPT, patience=PATIENCE, after="\n"):
        """Reads until the cursor stands behind `what`, behind `after`; returns what is shown before
        it, or None."""
        until = time.monotonic() + patience
        while time.monotonic() < until:
            shown = self.text()
            before = shown.removesuffix(what)
            if shown.endswith(what) and after in before:
                self.mark = self.screen.row
                return before
            if not self.pump(0.05):
                return None
        return None

    def find(self, what, patience=PATIENCE):
        """Reads until `what` is shown somewhere."""
        until = time.monotonic() + patience
        while what not in self.screen.text(self.mark, whole=True):
            if time.monotonic() > until or not self.pump(0.05):
                return False
        return True

    def calm(self):
        """Reads until nothing comes for a moment."""
        before = -1
        while before != len(self.raw):
            before = len(self.raw)
            self.pump(0.15 * TIME_FACTOR)

    def send(self, text):
        data = text.encode()
        while data:
            data = data[os.write(self.end, data):]

    def enter(self, line, what=PROMPT):
        """Types a line; returns what it printed, without the echo of the line."""
        self.send(line + "\n")
        shown = self.wait(what)
        return None if shown is None else shown.partition("\n")[2]

    def leave(self):
        """Closes the terminal and returns the exit status (None: had to be killed)."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.end)
                return os.waitstatus_to_exitcode(status)
            self.pump(0.05)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.end)
        return None


class Checks:
    def __init__(self, strider, only):
        self.strider = os.path.abspath(strider)
        self.only = only
        self.passed = self.failed = 0

    def check(self, name, got, expected):
        good = got == expected
        self.passed += good
        self.failed += not good
        if not good:
            print(f"FAILED {name}: expected {expected!r}, got {got!r}")

    def terminal(self, home, **options):
        terminal = Terminal([self.strider], home, **options)
        terminal.wait()
        return terminal

    def run(self, scene):
        if self.only and self.only not in scene.__name__:
            return
        with tempfile.TemporaryDirectory() as home:
            scene(self, home)


def echo(c, home):
    t = c.terminal(home)
    c.check("an expression shows", t.enter("1 + 1"), "2\n")
    c.check("None does not", t.enter("None"), "")
    c.check("the last value is _", t.enter("_ * 3"), "6\n")
    c.check("repr, not str", t.enter("'a' + 'b'"), "'ab'\n")
    c.check("assignments are silent", t.enter("x = [1, 2]"), "")
    c.check("several statements on a line", t.enter("x.append(3); x; len(x)"), "[1, 2, 3]\n3\n")
    c.check("print", t.enter("print('no', 'quotes')"), "no quotes\n")
    c.check("print without a newline", t.enter("print('open', end='')"), "open\n")
    c.check("an empty line", t.enter(""), "")
    c.check("a comment", t.enter("# nothing"), "")
    c.check("import", t.enter("import numpy as np"), "")
    c.check("an array", t.enter("np.arange(6).reshape(2, 3)"), "array([[0, 1, 2],\n       [3, 4, 5]])\n")
    c.check("a scalar", t.enter("np.float64(0.5)"), "np.float64(0.5)\n")
    c.check("input() reads the next line", t.enter("name = input('who? ')", "who? "), "")
    c.check("its answer", (t.enter("Ann"), t.enter("name")), ("", "'Ann'\n"))
    t.send(CTRL_D)
    c.check("Ctrl-D leaves with 0", t.leave(), 0)


def blocks(c, home):
    t = c.terminal(home)
    c.check("def asks for more", t.enter("def double(x):", NEXT + "    "), "")
    c.check("its body", t.enter("return 2 * x", NEXT), "")
    c.check("an empty line ends it", t.enter(""), "")
    c.check("the function is there", t.enter("double(21)"), "42\n")
    t.enter("for i in range(3):", NEXT + "    ")
    t.enter("print(i)", NEXT + "    ")
    c.check("a loop", t.enter(""), "0\n1\n2\n")
    t.enter("class Point:", NEXT + "    ")
    t.enter("def __init__(self, x):", NEXT + "        ")
    t.enter("self.x = x", NEXT + "        ")
    c.check("a class", t.enter(""), "")
    c.check("an instance", t.enter("Point(7).x"), "7\n")
    c.check("an open bracket", t.enter("sum([1,", NEXT), "")
    c.check("closed", t.enter("2])"), "3\n")
    c.check("an open string", t.enter("'''a", NEXT), "")
    c.check("closed too", t.enter("b'''"), "'a\\nb'\n")
    t.enter("if double(1) > 5:", NEXT + "    ")
    t.enter("'big'", NEXT + "    ")
    t.enter("\belse:", NEXT + "    ")
    t.enter("'small'", NEXT + "    ")
    c.check("else at the margin", t.enter(""), "'small'\n")
    t.enter("@staticmethod", NEXT)
    t.enter("def f(): return 1", NEXT)
    c.check("a decorated function", t.enter(""), "")
    t.enter("with open('f.txt', 'w') as f:", NEXT + "    ")
    t.enter("f.write('text')", NEXT + "    ")
    c.check("with", t.enter(""), "4\n")
    t.send(CTRL_D)
    t.leave()


def errors(c, home):
    t = c.terminal(home)
    shown = t.enter("1 / 0") or ""
    c.check("a traceback", shown.splitlines()[-1:], ["ZeroDivisionError: division by zero"])
    c.check("the session goes on", t.enter("1 + 1"), "2\n")
    c.check("broken syntax", "SyntaxError" in (t.enter("x = = 1") or ""), True)
    c.check("a wrong name", "Did you mean: 'print'?" in (t.enter("prnt(1)") or ""), True)
    t.enter("def fail():", NEXT + "    ")
    t.enter("raise ValueError('inside')", NEXT)
    t.enter("")
    shown = t.enter("fail()") or ""
    c.check("source of an earlier entry", "raise ValueError('inside')" in shown, True)
    c.check("deep recursion", "RecursionError" in (t.enter("f = lambda: f(); f()") or ""), True)
    c.check("a huge array", "Unable to allocate" in (t.enter("import numpy; numpy.ones(10**15)") or ""), True)
    c.check("still there", t.enter("len('abc')"), "3\n")
    t.send("exit(3)\n")
    c.check("exit(3)", t.leave(), 3)


def interrupts(c, home):
    t = c.terminal(home)
    t.enter("import numpy; value = 5")
    t.enter("while True:", NEXT + "    ")
    t.enter("pass", NEXT)
    for name, line in (("an endless loop", ""), ("a sleep", "import time; time.sleep(60)"),
                       ("a long product", "import numpy as np; big = np.ones((9000, 9000)); big @ big"),
                       ("a long sum", "sum(range(10**12))"),
                       ("an endless iterator", "import itertools; all(itertools.repeat(1))"),
                       ("input()", "input('? ')")):
        t.send(line + "\n")
        time.sleep(0.4)
        started = time.monotonic()
        t.send(CTRL_C)
        shown = t.wait()
        c.check(name + " is interrupted", "KeyboardInterrupt" in (shown or ""), True)
        c.check(name + " stops soon", time.monotonic() - started < 10.0 * TIME_FACTOR, True)
        c.check("the session lives after " + name, t.enter("value"), "5\n")
    t.send("half a li" + CTRL_C)
    c.check("Ctrl-C drops the line", "KeyboardInterrupt" in (t.wait() or ""), True)
    c.check("the next is whole", t.enter("value + 1"), "6\n")
    t.enter("def unfinished():", NEXT + "    ")
    t.send(CTRL_C)
    c.check("Ctrl-C drops the entry", "KeyboardInterrupt" in (t.wait() or ""), True)
    c.check("the next is no part of it", t.enter("value + 2"), "7\n")
    t.enter("try:", NEXT + "    ")
    t.enter("while True: pass", NEXT + "    ")
    t.enter("\bexcept KeyboardInterrupt:", NEXT + "    ")
    t.enter("print('caught', numpy.eye(2).sum())", NEXT + "    ")
    t.send("\n")
    time.sleep(0.3)
    t.send(CTRL_C)
    c.check("the program may catch it", (t.wait() or "").endswith("caught 2.0\n"), True)
    t.send(CTRL_D)
    c.check("leaves", t.leave(), 0)


def history(c, home):
    t = c.terminal(home)
    t.enter("first = 11")
    t.enter("second = 22")
    t.send(UP + UP)
    t.find("first = 11")
    t.send("\n")
    t.wait()
    t.send(CTRL_D)
    t.leave()
    kept = open(os.path.join(home, ".local/state/strider/history"), encoding="utf-8").read()
    c.check("the history is kept", "second" in kept, True)
    t = c.terminal(home)
    t.send(UP)
    c.check("and read", t.find("first = 11") or t.find("second = 22", 0), True)
    t.send("\n")
    t.wait()
    t.enter("def g():", NEXT + "    ")
    t.enter("return 'again'", NEXT)
    t.enter("")
    t.send("exit()\n")
    c.check("exit()", t.leave(), 0)
    t = c.terminal(home)
    t.send(CTRL_R + "seco")
    c.check("Ctrl-R searches", t.find("second = 22"), True)
    t.send("\n")
    t.wait()
    t.send("second\n")
    c.check("and runs", t.find("\n22\n"), True)
    os.kill(t.pid, signal.SIGHUP)
    t.leave()
    c.check("only the owner reads it", os.stat(os.path.join(home, ".local/state/strider/history")).st_mode & 0o077, 0)


def completion(c, home):
    t = c.terminal(home)
    t.enter("import numpy as np")
    t.send("np.linsp" + TAB + "(0, 1, 3)")
    c.check("a function of a module", t.enter(""), "array([0. , 0.5, 1. ])\n")
    t.send("np.linalg.eigvalsh" + TAB)
    c.check("a module in a module", t.enter("") is not None, True)
    t.enter("velocity = 4")
    t.send("veloc" + TAB)
    c.check("a global", t.enter(""), "4\n")
    t.enter("class Box:", NEXT + "    ")
    t.enter("contents = 8", NEXT + "    ")
    t.enter("")
    t.enter("box = Box()")
    t.send("box.cont" + TAB)
    c.check("an attribute of a class", t.enter(""), "8\n")
    t.send("np.zeros" + TAB)
    c.check("several are listed", t.find("zeros_like"), True)
    t.send("(2)\n")
    t.wait()
    t.send("'abc'.upp" + TAB + "()")
    c.check("a method of a literal", t.enter(""), "'ABC'\n")
    t.enter("values = np.arange(4)")
    t.send("values.cums" + TAB + "()")
    c.check("a method of an array", t.enter(""), "array([0, 1, 3, 6])\n")
    t.send("impor" + TAB + " math\n")
    c.check("a keyword", t.wait() is not None and t.enter("math.floor(2.5)") == "2\n", True)
    t.send("import statis" + TAB + "\n")
    c.check("a module to import", t.wait() is not None and t.enter("statistics.mean([1, 3])") == "2\n", True)
    t.send(CTRL_D)
    t.leave()


def unicode(c, home):
    t = c.terminal(home)
    c.check("accents", t.enter("'naïve café'"), "'naïve café'\n")
    c.check("names", t.enter("größe = 3; größe + 1"), "4\n")
    c.check("other scripts", t.enter("len('日本語')"), "3\n")
    t.send("'日x" + LEFT + "本")
    t.send("\x05'\n")
    c.check("editing among them", (t.wait() or "").partition("\n")[2], "'日本x'\n")
    t.send(b"x = '\xff'\n".decode("latin-1"))
    c.check("stays", t.wait() is not None and t.enter("1"), "1\n")
    t.send(CTRL_D)
    t.leave()


def pasting(c, home):
    t = c.terminal(home)
    t.send("a = 1\nb = 2\nprint(a + b)\n")
    c.check("three lines", "3\n" in (t.wait("3\n" + PROMPT) or "") or "found", "found")
    t.send("def area(w, h):\n    size = w * h\n    return size\n\narea(2, 3)\n")
    c.check("an indented function", t.find("6\n"), True)
    t.wait()
    program = "\x1b[200~def twice(x):\n    y = x\n\n    return y + x\ntwice(4)\n\x1b[201~"
    t.send(program)
    t.send("\n")
    c.check("a bracketed paste keeps its own indents", t.find("8\n"), True)
    t.wait()
    c.check("still a prompt", t.enter("1"), "1\n")
    t.send(CTRL_D)
    t.leave()


def terminals(c, home):
    t = c.terminal(home, columns=20)
    c.check("narrow", (t.enter("'a' * 3 + 'b' * 3 + 'c' * 3") or "").splitlines()[-1:], ["'aaabbbccc'"])
    t.send(CTRL_D)
    c.check("narrow leaves", t.leave(), 0)
    t = c.terminal(home, term="dumb")
    c.check("dumb", (t.enter("1 + 1") or "").splitlines()[-1:], ["2"])
    t.send(CTRL_D)
    c.check("dumb leaves", t.leave(), 0)
    t = c.terminal(home)
    t.enter("x = 1")
    os.close(t.end)
    t.end = os.open(os.devnull, os.O_RDONLY)
    until = time.monotonic() + 5
    gone = 0
    while not gone and time.monotonic() < until:
        gone, _ = os.waitpid(t.pid, os.WNOHANG)
        time.sleep(0.02)
    c.check("a closed terminal ends it", gone == t.pid, True)
    if not gone:
        os.kill(t.pid, signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strider", required=True)
    parser.add_argument("--only", default="", help="scenes whose name contains this text")
    options = parser.parse_args()
    checks = Checks(options.strider, options.only)
    for scene in (echo, blocks, errors, interrupts, history, completion, unicode, pasting, terminals):
        checks.run(scene)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
