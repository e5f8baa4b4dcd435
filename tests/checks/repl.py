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
import subprocess
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


def editing(c, home):
    t = c.terminal(home)
    t.enter("def area(w, h):", NEXT + "    ")
    t.enter("return w * h", NEXT)
    t.enter("")
    t.send(UP)
    t.calm()
    c.check("a whole entry comes back", t.text(), ">>> def area(w, h):\n...     return w * h")
    t.send(UP + "\x05" + LEFT * 2 + ", d")
    t.calm()
    c.check("its first line is edited", t.screen.text(t.mark, whole=True).rstrip(),
            ">>> def area(w, h, d):\n...     return w * h")
    t.send(DOWN + "\x05 * d\n")
    c.check("and runs with one Enter", (t.wait() or "").endswith("* d\n"), False)
    t.send("\n")
    t.wait()
    c.check("the new one is there", t.enter("area(2, 3, 4)").endswith("24\n"), True)
    t.send(UP + UP + "\n")
    t.wait()
    c.check("an unchanged one needs no blank line", t.enter("1"), "1\n")
    t.send("print(1, 2 + 3)" + CTRL_W + CTRL_W + CTRL_U + CTRL_Y + CTRL_Y)
    t.calm()
    c.check("killing and yanking", t.text(), ">>> print(1, print(1, ")
    t.send(CTRL_C)
    t.wait()
    t.send("abc" + UNDO)
    t.calm()
    c.check("undoing", t.text(), PROMPT)
    t.send("12" + LEFT + CTRL_K + "3" + CTRL_A + "4\n")
    c.check("moving and cutting", (t.wait() or "").partition("\n")[2], "413\n")
    t.send("x = 1" + "\x1b\n" + "x + 1\n")
    c.check("Alt-Enter adds a line", (t.wait() or "").endswith("2\n"), True)
    long = "'" + "ab" * 60 + "'"
    c.check("a line longer than the window", t.enter(f"len({long})").endswith("120\n"), True)
    t.send("'" + "x" * 75)
    t.calm()
    t.send("\b" * 70 + "'\n")
    c.check("wrapped and taken back", (t.wait() or "").endswith("'xxxxx'\n"), True)
    t.send(CTRL_D)
    c.check("leaves", t.leave(), 0)


def searching(c, home):
    t = c.terminal(home)
    for line in ("alpha = 1", "beta = 2", "alphabet = 3"):
        t.enter(line)
    t.send(CTRL_R + "alp")
    c.check("the latest is found", t.find("alphabet = 3") and t.find("search: alp_"), True)
    t.send(CTRL_R)
    c.check("then the one before", t.find(">>> alpha = 1"), True)
    t.send(CTRL_R + "zzz")
    c.check("nothing more", t.find("not found: alpzzz_"), True)
    t.send(CTRL_G)
    t.calm()
    c.check("Ctrl-G goes back", t.text(), PROMPT)
    t.send(CTRL_R + "bet" + "\x05" + "0\n")
    c.check("other keys edit", (t.wait() or "").splitlines()[0], ">>> alphabet = 30")
    t.send("be" + UP)
    t.calm()
    c.check("Up finds what begins so", t.text(), ">>> beta = 2")
    t.send(DOWN)
    t.calm()
    c.check("Down comes back", t.text(), ">>> be")
    t.send(CTRL_C)
    t.wait()
    t.send(CTRL_D)
    t.leave()


def colours(c, home):
    t = c.terminal(home)
    t.enter("for i in range(2): print('i')  # twice", NEXT)
    t.enter("")
    c.check("keywords, numbers, strings, comments",
            {"1;34", "36", "32", "90"} <= t.screen.colours, True)
    t.enter("1 / 0")
    c.check("tracebacks", {"1;31", "31"} <= t.screen.colours, True)
    t.send(CTRL_D)
    t.leave()
    t = c.terminal(home, NO_COLOR="1")
    t.enter("for i in range(2): 1 / 0  # twice", NEXT)
    t.enter("")
    c.check("NO_COLOR", t.screen.colours, set())
    t.send(CTRL_D)
    t.leave()
    for settings, expected in (({}, True), ({"NO_COLOR": "1"}, False)):
        t = Terminal([c.strider, "-c", "1 / 0"], home, **settings)
        t.find("ZeroDivisionError: division by zero")
        c.check("a program's traceback on a terminal", "1;31" in t.screen.colours, expected)
        t.leave()


def assistance(c, home):
    t = c.terminal(home)
    t.enter("import numpy as np")
    t.enter("grid_a, grid_b = np.ones((30, 40)), np.arange(3)")
    t.send("grid" + TAB + TAB)
    c.check("shapes beside names", t.find("(30, 40) float64") and t.find("(3,) int64"), True)
    t.send("a.sum()\n")
    c.check("the list goes", (t.wait() or "").partition("\n")[2], "np.float64(1200.0)\n")
    t.send("np." + TAB)
    c.check("many names come in pages", t.find("Tab: more"), True)
    t.send(TAB + CTRL_C)
    t.wait()
    t.send("np.linspace(" + SHIFT_TAB)
    c.check("what is called is explained", t.find("Signature:"), True)
    t.send("0, 1, 2)\n")
    c.check("and goes", (t.wait() or "").partition("\n")[2], "array([0., 1.])\n")
    t.enter("if True:", NEXT + "    ")
    t.send(TAB)
    t.calm()
    c.check("Tab at the margin indents", t.text(), NEXT + " " * 8)
    t.send("\b")
    t.calm()
    c.check("Backspace goes back a stop", t.text(), NEXT + " " * 4)
    t.enter("7", NEXT + "    ")
    t.enter("")
    c.check("name?", "Shape:" in (t.enter("grid_a?") or ""), True)
    c.check("np.*span?", t.enter("np.*linspa*?"), "np.linspace\n")
    t.enter("from os import makedirs")
    c.check("name??", "def makedirs" in (t.enter("makedirs??") or ""), True)
    c.check("an unknown name", t.enter("nothing?"), "Object `nothing` not found.\n")
    t.send(CTRL_D)
    t.leave()


def commands(c, home):
    t = c.terminal(home, columns=200)
    t.enter("import numpy as np; big = np.ones(2_000_000); n = 3")
    shown = t.enter("%timeit -n 3 -r 2 big + 1") or ""
    c.check("%timeit", "per loop (mean" in shown and "GB/s (" in shown, True)
    c.check("%time", "wall time" in (t.enter("%time big.sum()") or ""), True)
    c.check("its value", (t.enter("%time n + 1") or "").splitlines()[-1:], ["4"])
    shown = t.enter("%who") or ""
    c.check("%who", all(part in shown for part in ("big", "(2000000,)", "float64", "16 MB", "cpu")), True)
    c.check("%who of a type", "big" in (t.enter("%who int") or ""), False)
    c.check("!command", t.enter("!echo $((6 * 7)) {n}"), "42 3\n")
    c.check("x = !command", (t.enter("x = !echo a; echo b"), t.enter("x")), ("", "['a', 'b']\n"))
    c.check("a terminal of its own", t.enter("!test -t 0 && test -t 1 && echo yes"), "yes\n")
    c.check("a command without a last newline", (t.enter("!printf abc") or "").split(), ["abc"])
    c.check("%cd and %pwd", (t.enter("%cd /usr"), t.enter("%pwd")), ("/usr\n", "'/usr'\n"))
    t.enter("%cd -")
    c.check("%env", t.enter("%env TERM"), "'xterm'\n")
    c.check("%explain", "loop" in (t.enter("%explain big * 2 + 1") or ""), True)
    c.check("a command that does not exist", t.enter("%timit 1"),
            "UsageError: there is no command %timit. Did you mean %timeit?\n")
    c.check("a command for cells", t.enter("%bash"),
            "UsageError: there is no command %bash. Did you mean %%bash?\n")
    shown = t.enter("%prun sorted([3, 1], key=abs)") or ""
    c.check("%prun", "function calls in" in shown and "{built-in method builtins.sorted}" in shown, True)
    t.enter("1 / 0")
    t.enter("%debug", what="(Pdb) ")
    shown = t.enter("w", what="(Pdb) ") or ""
    c.check("%debug shows where an error came from", "-> 1 / 0" in shown, True)
    t.enter("q")
    t.enter("breakpoint(); stopped = 5", what="(Pdb) ")
    t.enter("stopped_at = 1", what="(Pdb) ")
    t.enter("c")
    c.check("a breakpoint goes on", (t.enter("stopped, stopped_at") or "").splitlines()[-1:], ["(5, 1)"])
    c.check("%timeit?", "how long it takes" in (t.enter("%timeit?") or ""), True)
    c.check("a misused one", t.enter("%cd /nowhere"),
            "UsageError: %cd: [Errno 2] No such file or directory: '/nowhere'\n")
    shown = t.enter("%time 1 / 0") or ""
    c.check("an error in one", "_fronts" not in shown and shown.endswith("division by zero\n"), True)
    t.enter("%%writefile made.npx", NEXT)
    t.enter("import sys; made = sys.argv[1:]", NEXT)
    c.check("%%writefile", t.enter(""), "Writing made.npx\n")
    c.check("%run", (t.enter("%run made.npx a b"), t.enter("made")), ("", "['a', 'b']\n"))
    t.enter("%%capture kept", NEXT)
    t.enter("print('quiet')", NEXT)
    c.check("%%capture", (t.enter(""), t.enter("kept.stdout")), ("", "'quiet\\n'\n"))
    t.enter("%%bash", NEXT)
    t.enter("for i in 1 2; do echo $i; done", NEXT)
    c.check("%%bash", t.enter(""), "1\n2\n")
    c.check("%history", t.enter("%history -n 1-1").startswith("   1: import numpy"), True)
    c.check("In and Out", (t.enter("'kept'"), t.enter("Out[max(Out)], In[1][:6]")),
            ("'kept'\n", "('kept', 'import')\n"))
    c.check("a ; silences", t.enter("n;"), "")
    t.enter("for i in range(2):", NEXT + "    ")
    t.enter("!echo {i}", NEXT + "    ")
    c.check("in a block", t.enter(""), "0\n1\n")
    t.send("%reset\n")
    t.find("Proceed")
    c.check("%reset asks", (t.enter("y") or "")[-2:] + (t.enter("'n' in globals()") or ""), "y\nFalse\n")
    t.send(CTRL_D)
    t.leave()


def explanations(c, home):
    t = c.terminal(home, PAGER="sed -n 1p")
    c.check("exit says how", t.enter("print(repr(exit))"), "Use exit() or Ctrl-D (i.e. EOF) to exit\n")
    c.check("help(x)", "sum(" in (t.enter("help(sum)") or ""), True)
    t.send("help()\n")
    c.check("help() asks", t.find("help> "), True)
    t.send("for\n")
    c.check("keywords", t.find("for name in iterable"), True)
    t.send("math.floor\n")
    c.check("functions of modules", t.find("floor("), True)
    t.send("keywords\n")
    c.check("lists", t.find("nonlocal"), True)
    t.send("nonsense\n")
    c.check("nothing known", t.find("No documentation found for 'nonsense'"), True)
    c.check("quit leaves it", (t.enter("quit") is None, t.enter("1")), (False, "1\n"))
    t.send("import getpass; word = getpass.getpass('secret: ')\n")
    t.find("\nsecret: ")
    t.send("xyzzy\n")
    t.wait()
    c.check("passwords are not seen", b"xyzzy" in t.raw, False)
    c.check("but known", t.enter("len(word)"), "5\n")
    c.check("long texts go to the pager", t.enter("help(str)"), "Help on type:\n")
    t.send("quit\n")
    c.check("quit alone leaves", t.leave(), 0)
    t = Terminal([c.strider, "-c", "import getpass; print(len(getpass.getpass()))"], home)
    t.find("Password: ")
    t.send("xyzzy\n")
    c.check("in a program, too", t.find("\n5") and b"xyzzy" not in t.raw, True)
    t.leave()


def displays(c, home):
    t = c.terminal(home)
    t.enter("from IPython.display import display, clear_output; import time")
    shown = t.enter("h = display('one', display_id=True); h.update('two'); h.update('three')")
    c.check("an update takes the place", shown, "'three'\n")
    shown = t.enter("h = display('one', display_id=True); print('between'); h.update('two')")
    c.check("unless something was printed", shown, "'one'\nbetween\n'two'\n")
    c.check("clear_output", t.enter("print('gone'); clear_output(); print('there')"), "there\n")
    c.check("clear_output(wait)", t.enter("print('gone'); clear_output(wait=True); print('next')"), "next\n")
    t.enter("import numpy as np")
    shown = t.enter("for i in np.progress(range(5)): pass\n\b\n") or ""
    c.check("a progress bar is one line", shown.count("5/5"), 1)
    t.send(CTRL_D)
    t.leave()


def files(c, home):
    with open(os.path.join(home, ".strider_history"), "w", encoding="utf-8") as file:
        file.write("_HiStOrY_V2_\nold\\040=\\0401\n")
    os.makedirs(os.path.join(home, ".config/strider"))
    with open(os.path.join(home, ".config/strider/startup.npx"), "w", encoding="utf-8") as file:
        file.write("import numpy as np\ngreeting = 'hello'\n")
    t = c.terminal(home)
    c.check("the start-up file ran", t.enter("greeting, np.pi > 3"), "('hello', True)\n")
    c.check("and left no place", t.enter("'__file__' in globals()"), "False\n")
    t.send(UP * 3)
    t.calm()
    c.check("the history of earlier versions", t.text(), ">>> old = 1")
    t.send(CTRL_C)
    t.wait()
    other = c.terminal(home)
    other.enter("from_other = 1")
    t.enter("from_this = 1")
    for each in (t, other):
        each.send(CTRL_D)
        each.leave()
    t = Terminal([c.strider, "--no-startup"], home)
    t.wait()
    c.check("--no-startup", "NameError" in (t.enter("greeting") or ""), True)
    t.send(UP * 2)
    t.calm()
    c.check("prompts side by side lose nothing", t.text() in (">>> from_this = 1", ">>> from_other = 1"), True)
    t.send(CTRL_C)
    t.wait()
    t.send(CTRL_D)
    t.leave()
    made = subprocess.run([c.strider, "-i"], input="1 + 1\ndef f():\n  return 3\n\nf()\n", cwd=home,
                          capture_output=True, text=True, env={"HOME": home, "PATH": os.environ["PATH"]})
    c.check("-i reads entries from a pipe", "2\n" in made.stdout and "3\n" in made.stdout, True)


def ends(c, home):
    t = c.terminal(home)
    usual = termios.tcgetattr(t.end)[3]
    os.kill(t.pid, signal.SIGTERM)
    t.calm()
    c.check("a prompt that is ended leaves the terminal as it was",
            bool(termios.tcgetattr(t.end)[3] & termios.ECHO) and not usual & termios.ECHO, True)
    c.check("by the signal", t.leave(), -signal.SIGTERM)
    t = c.terminal(home)
    os.kill(t.pid, signal.SIGINT)
    c.check("an interrupt from elsewhere drops the entry", "KeyboardInterrupt" in (t.wait() or ""), True)
    c.check("and no more", t.enter("6 * 7"), "42\n")
    t.send(CTRL_D)
    t.leave()


def programs(c, home):
    with open(os.path.join(home, "made.npx"), "w", encoding="utf-8") as file:
        file.write("import sys\nmade = sys.argv[1:]\nprint('ran')\n1 / 0\n")
    t = Terminal([c.strider, "-i", "made.npx", "a"], home)
    shown = t.wait() or ""
    c.check("-i runs the program", shown.startswith("ran\n") and "ZeroDivisionError" in shown, True)
    c.check("and prompts with its names", t.enter("made"), "['a']\n")
    t.send("%run ma" + TAB)
    c.check("paths of files complete", t.find("%run made.npx"), True)
    t.send(CTRL_C)
    t.wait()
    t.send(CTRL_D)
    c.check("leaves", t.leave(), 0)


def windows(c, home):
    t = c.terminal(home, columns=40, rows=12)
    t.send("sum([" + "1, " * 30)
    t.calm()
    t.resize(60, 12)
    os.kill(t.pid, signal.SIGWINCH)
    t.calm()
    t.send("1])\n")
    c.check("a wider window", (t.wait() or "").endswith("31\n"), True)
    program = "def long():\n" + "".join(f"    a{i} = {i}\n" for i in range(20)) + "    return a19\n"
    t.send("\x1b[200~" + program + "\x1b[201~")
    t.calm()
    t.send("\n")
    t.wait()
    c.check("an entry higher than the window", t.enter("long()"), "19\n")
    t.send(UP + UP)
    t.calm()
    t.send(UP * 30 + CTRL_C)
    t.wait()
    c.check("goes through it", t.enter("2"), "2\n")
    t.send("1 + " + "\x0c")
    t.calm()
    c.check("Ctrl-L keeps the entry", t.text().endswith(">>> 1 + "), True)
    t.send("1\n")
    t.find("\n2")
    t.send(CTRL_D)
    c.check("leaves", t.leave(), 0)


def jobs(c, home):
    t = Terminal(["/bin/bash", "--norc", "-i"], home, PS1="shell$ ")
    t.wait("shell$ ", after="")
    t.enter(c.strider)
    t.enter("x = 5")
    t.send("x + " + CTRL_Z)
    c.check("Ctrl-Z stops the prompt", t.find("Stopped"), True)
    t.calm()
    t.send("fg\n")
    t.calm()
    t.send("1\n")
    c.check("fg goes on with the entry", t.find("\n6\n"), True)
    t.wait()
    t.send("import time; time.sleep(1.0); print('slept')\n")
    time.sleep(0.3)
    t.send(CTRL_Z)
    c.check("Ctrl-Z stops a program", t.find("Stopped"), True)
    t.calm()
    t.send("fg\n")
    c.check("fg goes on with it", t.find("\nslept\n"), True)
    t.wait()
    c.check("the prompt lives", t.enter("x"), "5\n")
    t.send(CTRL_D)
    t.wait("shell$ ")
    t.send("exit\n")
    t.leave()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strider", required=True)
    parser.add_argument("--only", default="", help="scenes whose name contains this text")
    options = parser.parse_args()
    checks = Checks(options.strider, options.only)
    for scene in (echo, blocks, errors, interrupts, history, completion, unicode, pasting, terminals,
                  editing, searching, colours, assistance, commands, explanations, displays, files,
                  programs, ends, windows, jobs):
        checks.run(scene)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
