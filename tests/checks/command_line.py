#!/usr/bin/env python3
"""Checks the program's command line: options, exit statuses, interrupts, hostile input."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

TIME_FACTOR = float(os.environ.get("STRIDER_TIME_FACTOR", 1))  # builds with sanitizers are slow


class Checks:
    def __init__(self, strider):
        self.strider = strider
        self.passed = self.failed = 0

    def run(self, *words, text=None, data=None, timeout=30, **settings):
        source = data if data is not None else (text or "").encode()
        return subprocess.run([self.strider, *words], input=source, capture_output=True, timeout=timeout * TIME_FACTOR,
                              env={**os.environ, **settings})

    def check(self, name, good, detail=""):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print(f"FAILED {name} {detail}")

    def expect(self, name, done, status, out=None, error=None):
        stderr = done.stderr.decode("utf-8", "replace")
        good = done.returncode == status and (out is None or done.stdout.decode() == out)
        good = good and (error is None or error in stderr)
        self.check(name, good, f"status {done.returncode}, out {done.stdout[:300]!r}, err {stderr[-300:]!r}")

    def interrupt(self, name, code, status=-signal.SIGINT):
        child = subprocess.Popen([self.strider, "-c", code], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.2)
        started = time.monotonic()
        child.send_signal(signal.SIGINT)
        try:
            child.wait(10 * TIME_FACTOR)
        except subprocess.TimeoutExpired:
            child.kill()
        waited = time.monotonic() - started
        self.check(name, child.returncode == status, f"status {child.returncode} after {waited:.2f} s")


def options(c):
    c.expect("-c", c.run("-c", "print(1 + 1)"), 0, "2\n")
    c.expect("arguments", c.run("-c", "import sys; print(sys.argv)", "a", "-b"), 0, "['-c', 'a', '-b']\n")
    c.expect("standard input", c.run("-", text="print('in')\n"), 0, "in\n")
    c.expect("piped program", c.run(text="print('piped')\n"), 0, "piped\n")
    c.check("-V", c.run("-V").stdout.startswith(b"Strider "))
    c.check("--help", b"--device" in c.run("--help").stdout)
    c.check("--help tells of arguments", b"[ARGS]" in c.run("--help").stdout and b"  -u  " in c.run("--help").stdout)
    c.check("convert --help", c.run("convert", "--help").stdout.startswith(b"Usage: strider convert FROM [TO]\n"))
    c.expect("unknown option", c.run("--nonsense"), 2, "", "strider: ")
    c.expect("--output without a notebook", c.run("--output", "x.ipynb", "-c", "print(1)"), 2, "", "strider: --output is for notebooks")
    c.expect("--inplace without a notebook", c.run("--inplace", "program.npx"), 2, "", "strider: --inplace is for notebooks")
    c.expect("missing file", c.run("/nonexistent.npx"), 2, error="can't open file")
    cuda = c.run("--device", "cuda", "-c", "print(2)")
    if cuda.returncode:  # a machine without a GPU
        c.expect("no such device", cuda, 1, "", "strider: cuda:0 is not there: ")
        c.expect("auto without one", c.run("--device", "auto", "-c", "print(2)"), 0, "2\n", "")
        work = "import numpy as np\nx = np.ones(10**7)\nfor _ in range(8): np.sin(np.sqrt(np.sqrt(np.exp(x)))).sum()\n"
        mapped = "print('libstrider_cuda' in open('/proc/self/maps').read())"
        c.expect("auto without a driver", c.run("-c", work + mapped), 0, "False\n", "")
    c.expect("unknown device", c.run("--device", "abacus", "-c", "pass"), 2)
    c.expect("device and eager", c.run("--device", "cpu", "--eager", "-c", "print(2)"), 0, "2\n")
    float_type = "import numpy as np; print(np.zeros(1).dtype)"
    c.expect("precision", c.run("--precision", "float32", "-c", float_type), 0, "float32\n")


def settings(c):
    """Settings of the environment that are not understood: each is told of once, and counts as not set."""
    work = "import numpy as np; print(int((np.ones(10**6) + 1).sum()))"
    for name, value, wanted in (("STRIDER_NUM_THREADS", "abc", "a whole number, at least 1"),
                                ("STRIDER_NUM_THREADS", "0", "a whole number, at least 1"),
                                ("STRIDER_FUSION", "1k", "a whole number, at least 0"),
                                ("STRIDER_RENDERER", "foo", "reference, tiles, assembler, mirror or emulator"),
                                ("STRIDER_TARGET", "foo", "plain, avx2 or avx512")):
        done = c.run("-c", work, **{name: value})
        c.check(f"{name}={value}", done.stderr.decode() == f"strider: {name}={value} is not understood; it may be {wanted}\n"
                and done.stdout == b"2000000\n", done)
    for name, value in (("STRIDER_NUM_THREADS", "1"), ("STRIDER_FUSION", "0"), ("STRIDER_RENDERER", "tiles"),
                        ("STRIDER_TARGET", "avx2"), ("STRIDER_TARGET", "")):
        c.expect(f"{name}={value}", c.run("-c", work, **{name: value}), 0, "2000000\n", "")
        c.check(f"{name}={value} is silent", not c.run("-c", work, **{name: value}).stderr)
    c.expect("STRIDER_DEVICE", c.run("-c", work, STRIDER_DEVICE="bogus"), 2, "", "strider: STRIDER_DEVICE: unknown device 'bogus'\n")
    c.expect("--device goes before", c.run("--device", "cpu", "-c", work, STRIDER_DEVICE="bogus"), 0, "2000000\n")


def hints(c):
    """What is said where something is asked for that is not there."""
    c.expect("a package that is none of ours", c.run("-c", "import scipy.linalg"), 1, "", "docs/packages.md says which packages")
    c.expect("a library in C", c.run("-c", "import ctypes; ctypes.CDLL('libm.so.6')"), 1, "",
             "OSError: libm.so.6: libraries written in C are not supported\n")
    c.check("help() of a function", b"\nclip(a, a_min=<no value>," in c.run("-c", "import numpy as np; help(np.clip)").stdout)


def module_folders(c):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("first", "second"):
            os.mkdir(os.path.join(folder, name))
            for module in ("shared_name", name + "_only"):
                with open(os.path.join(folder, name, module + ".py"), "w") as file:
                    file.write(f"place = {name!r}\n")
        program = "import shared_name, first_only, second_only, sys; print(shared_name.place, second_only.place, len(sys.path))"
        path = os.path.join(folder, "second") + ":first"
        done = subprocess.run([c.strider, "-c", program], cwd=folder, capture_output=True, env={**os.environ, "PYTHONPATH": path})
        c.expect("PYTHONPATH", done, 0, "second second 3\n")


def statuses(c):
    c.expect("uncaught error", c.run("-c", "1/0"), 1, error="ZeroDivisionError: division by zero")
    c.expect("sys.exit(3)", c.run("-c", "import sys; sys.exit(3)"), 3)
    c.expect("sys.exit(text)", c.run("-c", "import sys; sys.exit('bye')"), 1, error="bye")
    c.expect("syntax error", c.run("-c", "1 +"), 1, error="SyntaxError")
    c.expect("caret", c.run("-c", "x = 1\nprint(x.y)"), 1, error="^^^")
    c.expect("did you mean", c.run("-c", "value = 1\nprint(valeu)"), 1, error="Did you mean: 'value'?")


def library_programs(c):
    """Modules of the library that are programs, in a folder with alone.py."""
    with open("examples.py", "w") as file:
        file.write('def half(x):\n    """\n    >>> half(4)\n    2\n    >>> half(5)\n    2.5\n    """\n    return x // 2\n')
    failed = c.run("-m", "doctest", "examples.py")
    c.check("-m doctest", failed.returncode == 1 and b"Expected:\n    2.5\nGot:\n    2\n" in failed.stdout, failed)
    c.expect("-m doctest of one without failures", c.run("-m", "doctest", "test_it.py"), 0, "")
    profiled = c.run("-m", "cProfile", "-s", "calls", "alone.py", "x")
    c.check("-m cProfile", b"function calls in" in profiled.stdout and b"alone.py:1(<module>)" in profiled.stdout, profiled)
    debugged = c.run("-m", "pdb", "-c", "next", "-c", "p __name__", "alone.py")
    c.check("-m pdb", b"'__main__'\n> " in debugged.stdout and debugged.returncode == 0, debugged)
    c.expect("-m calendar", c.run("-m", "calendar", "2024", "2"), 0, "   February 2024\nMo Tu We Th Fr Sa Su\n          1  2  3  4\n"
             " 5  6  7  8  9 10 11\n12 13 14 15 16 17 18\n19 20 21 22 23 24 25\n26 27 28 29\n")
    c.expect("-m base64", c.run("-m", "base64", "-e", text="abc"), 0, "YWJj\n")
    c.expect("-m of a part that is no program", c.run("-m", "textwrap"), 1, error="cannot be run")


def options_of_python(c):
    """What programs pass on to sys.executable: modules to run, filters of warnings, flags."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"alone.py": "import sys\nprint(__name__, __package__ or '-', sys.argv[1:])\nif sys.argv[1:]: sys.exit(4)\n",
                 "pack/__init__.py": "", "pack/__main__.py": "from . import part\nprint(part.value, __package__)\n",
                 "pack/part.npx": "value = 7\n", "pack/inner.py": "from .part import value\nprint(value, __spec__.name)\n",
                 "test_it.py": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"
                               "    def test_b(self): self.assertEqual(1, 2)\n"}
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        strider, before = os.path.abspath(c.strider), os.getcwd()
        inside = Checks(strider)
        os.chdir(folder)
        try:
            inside.expect("-m", inside.run("-m", "alone"), 0, "__main__ - []\n")
            inside.expect("-m with arguments", inside.run("-m", "alone", "-x", "y"), 4, "__main__ - ['-x', 'y']\n")
            inside.expect("-m of a package", inside.run("-m", "pack"), 0, "7 pack\n")
            inside.expect("-m of a module of a package", inside.run("-m", "pack.inner"), 0, "7 pack.inner\n")
            inside.expect("-m without such a module", inside.run("-m", "nothing"), 1, error=": No module named nothing\n")
            inside.expect("-m unittest", inside.run("-m", "unittest"), 1, error="Ran 2 tests")
            inside.expect("-m unittest -k", inside.run("-m", "unittest", "-v", "-k", "test_a"), 0, error="Ran 1 test")
            inside.expect("-m unittest NAME", inside.run("-m", "unittest", "test_it.T.test_a"), 0, error="OK")
            inside.expect("-m unittest, unknown", inside.run("-m", "unittest", "zzz"), 1, error="No module named 'zzz'")
            inside.expect("-m json.tool", inside.run("-m", "json.tool", "--indent", "1", text='{"a":[1]}'), 0,
                          '{\n "a": [\n  1\n ]\n}\n')
            timed = inside.run("-m", "timeit", "-n", "5", "-r", "2", "-s", "x = 1", "x + 1")
            inside.check("-m timeit", timed.stdout.startswith(b"5 loops, best of 2: "), timed)
            library_programs(inside)
        finally:
            os.chdir(before)
    c.passed += inside.passed
    c.failed += inside.failed
    warned = "import warnings; warnings.warn('hi', UserWarning); print('on')"
    c.expect("-W ignore", c.run("-W", "ignore", "-c", warned), 0, "on\n", "")
    c.check("-W ignore is silent", not c.run("-Wignore::UserWarning", "-c", warned).stderr)
    c.expect("-W error", c.run("-W", "error", "-c", warned), 1, "", "UserWarning: hi")
    c.expect("-W error for numbers", c.run("-W", "error", "-c", "import numpy as np; np.log(np.zeros(1))"), 1, "",
             "RuntimeWarning: divide by zero")
    c.expect("-W of a wrong kind", c.run("-W", "nonsense", "-c", "print(1)"), 0, "1\n", "Invalid -W option ignored: invalid action: 'nonsense'")
    c.expect("flags of python3", c.run("-u", "-I", "-X", "dev", "-c", "import sys; print(sys.argv)", "-u"), 0, "['-c', '-u']\n")


def late_errors(c):
    if TIME_FACTOR != 1:  # sanitizers need address space of their own
        return
    program = "import numpy as np\nx = np.evaluate(np.ones(40_000_000))\ny = x[::2] + 1j\nprint('made')\nprint(y[0])"
    limit = f"ulimit -v 600000; exec {c.strider} -c \"$0\""
    done = subprocess.run(["bash", "-c", limit, program], capture_output=True)
    c.expect("too large later", done, 1, "made\n", error="for the operation at <string>:3")


def log(c):
    program = "import numpy as np\nx = np.evaluate(np.ones(100_000))\nprint((x * 2 + 1).sum())"
    wanted = {1: "strider: pass 1 on cpu over (100000,)", 2: "loop over (100000,)", 3: "v3 = multiply(", 4: "record add", 5: ""}
    shown = []
    for level in wanted:
        environment = {**os.environ, "STRIDER_DEBUG": str(level)}
        done = subprocess.run([c.strider, "-c", program], capture_output=True, env=environment)
        c.expect(f"log level {level}", done, 0, "300000.0\n", error=wanted[level])
        shown.append(len(done.stderr))
    c.check("levels add", shown == sorted(shown), shown)
    c.expect("no log", c.run("-c", program), 0, "300000.0\n")
    c.check("no log says nothing", not c.run("-c", program).stderr)


def hostile(c):
    c.expect("a million brackets", c.run("-", text="(" * 10**6), 1, error="too many nested parentheses")
    c.expect("endless recursion", c.run("-c", "def f(): return f()\nf()"), 1, error="RecursionError")
    deep = "import sys\nsys.setrecursionlimit(10**9)\ndef f(): return f()\nf()"
    c.expect("unlimited recursion", c.run("-c", deep, timeout=120), 1, error="RecursionError")
    c.expect("too large", c.run("-c", "import numpy as np; np.zeros(10**15)"), 1, error="Unable to allocate")
    c.expect("invalid UTF-8", c.run("-", data=b"x = '\xff'\n"), 1, error="SyntaxError")
    c.expect("a NUL byte", c.run("-", data=b"x = 1\0\n"), 1, error="null byte")
    chain = "+".join(["1"] * 100000)
    c.check("a long sum", c.run("-", text=f"print({chain})").returncode in (0, 1))
    nested = "x = []\nfor i in range(100000): x = [x]\ndel x\nprint('ok')"
    c.expect("deep nesting dies quietly", c.run("-c", nested), 0, "ok\n")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bad.npy")
        for content in (b"", b"\x93NUMPY\x01\x00v\x00{'descr'", b"\x93NUMPY" + b"\xff" * 100, os.urandom(200)):
            with open(path, "wb") as file:
                file.write(content)
            done = c.run("-c", f"import numpy as np; np.load({path!r})")
            c.check("corrupt .npy", done.returncode == 1, done.stderr[-200:])


def interrupts(c):
    c.interrupt("loop", "print('go', flush=True)\nwhile True: pass")
    c.interrupt("sleep", "import time\nprint('go', flush=True)\ntime.sleep(60)")
    c.interrupt("generator", "print('go', flush=True)\nsum(i for i in iter(int, 1))")
    c.interrupt("matmul", "import numpy as np\na = np.ones((3000, 3000))\nprint('go', flush=True)\nwhile 1: a @ a")
    caught = "print('go', flush=True)\ntry:\n  while 1: pass\nexcept KeyboardInterrupt: raise SystemExit(7)"
    c.interrupt("caught", caught, 7)
    handled = ("import signal, sys, time\nimport numpy as np\n"
               "signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))\nseen = []\n"
               "print('go', flush=True)\nwhile not seen: np.sqrt(np.arange(1e6)).sum()\n"
               "signal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.raise_signal(2)\nsys.exit(seen[0] + 3)")
    c.interrupt("handled", handled, 5)
    ignoring = ("import signal, sys, time\nprint('go', flush=True)\ntime.sleep(0.5)\n"
                "sys.exit(4 if signal.getsignal(signal.SIGINT) == signal.SIG_IGN else 6)")
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    c.interrupt("ignored from the start", ignoring, 4)
    signal.signal(signal.SIGINT, usual)


def main():
    # Programs start as in a terminal, even where a shell runs this behind a script.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser()
    parser.add_argument("--strider", required=True)
    checks = Checks(os.path.abspath(parser.parse_args().strider))
    for group in (options, settings, hints, options_of_python, module_folders, statuses, late_errors, log, hostile, interrupts):
        group(checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
