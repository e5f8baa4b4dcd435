"""Runs the tests of one of NumPy's files: `worker.py PIECES.json FIRST [NAME]`.

PIECES.json holds the statements of the file, each of which runs by itself, so that one that fails takes no
other with it. The cases from FIRST on run, those alone that have NAME in theirs, and are told line by line:
"RUN number name" before, "PASS", "SKIP" or "FAIL name: error" after, "DONE" at the end. Runs under any python3.
"""
import inspect
import itertools
import json
import os
import pathlib
import runpy
import signal
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import inner
import numpy as np
import pytest

SECONDS = 20  # for a case
# Where what tests import from NumPy's inside may stand in public.
PLACES = ("lib", "ma", "testing", "exceptions", "dtypes", "linalg", "random", "polynomial", "char", "strings",
          "rec", "fft", "lib.stride_tricks", "lib.format", "lib.recfunctions", "lib.introspect",
          "lib.array_utils", "lib.npyio", "lib.scimath", "lib.mixins", "ma.extras", "ma.core", "ma.mrecords",
          "ma.testutils", "matlib", "ctypeslib")
HELPERS = ("_natype.py", "_locales.py")  # of tests, beside them
INNER_MODULES = ("umath", "_umath", "numerictypes", "numeric", "multiarray", "fromnumeric", "arrayprint",
                 "_multiarray_umath")


class TooSlow(BaseException):
    """Raised when a case has had its time."""


def find_public(name, folder):
    """What programs call by this name, for an import from NumPy's inside or of a helper in the folder."""
    for place in ("", *PLACES):
        module = np
        for part in place.split(".") if place else ():
            module = getattr(module, part, None)
        if hasattr(module, name):
            return getattr(module, name)
    if hasattr(inner, name):
        return getattr(inner, name)
    if name in INNER_MODULES:
        return np
    for helper in HELPERS:
        path = os.path.join(folder, helper)
        if os.path.exists(path) and name in (names := runpy.run_path(path)):
            return names[name]
    raise ImportError(f"nothing public is named {name}")


def is_left_out(marks):
    """Whether marks say that a case is not to run, or not to pass."""
    for mark in marks:
        given = mark.args or ()
        if mark.name in ("skip", "slow") or mark.name == "skipif" and given and given[0]:
            return True
        if mark.name == "xfail" and (not given or given[0] is True):
            return True
    return False


def rows_of(marks):
    """The arguments of each case of a parametrized test."""
    rows = [{}]
    for mark in marks:
        if mark.name != "parametrize":
            continue
        names = mark.args[0] if mark.args else mark.kwargs["argnames"]
        values = mark.args[1] if len(mark.args) > 1 else mark.kwargs["argvalues"]
        if isinstance(names, str):
            names = [name.strip() for name in names.split(",") if name.strip()]
        added = []
        for value in values:
            if isinstance(value, pytest.Param):
                if is_left_out(value.marks):
                    continue
                value = value.values if len(names) > 1 else value.values[0]
            added.append(dict(zip(names, value)) if len(names) > 1 else {names[0]: value})
        rows = [{**row, **more} for more in added for row in rows]
    return rows


class Request:
    """What a fixture learns of its parameter."""

    def __init__(self, param):
        self.param = param.values[0] if isinstance(param, pytest.Param) else param


class Suite:
    """The tests of a file, by the names that its statements left."""

    def __init__(self, work):
        self.work = work
        self.names = {"__name__": work["name"], "__file__": work["file"], "find_public": self.find}
        self.helpers = []

    def find(self, name):
        """What an import names, from another file of tests or from what is public."""
        if self.work.get("helpers") and not self.helpers:
            self.helpers = [Suite(helper) for helper in self.work["helpers"]]
            for helper in self.helpers:
                helper.define(tells=False)
        for helper in self.helpers:
            if name in helper.names:
                return helper.names[name]
        return find_public(name, os.path.dirname(self.work["file"]))

    def define(self, tells):
        """Runs the statements of the file."""
        for line, text in self.work["pieces"]:
            try:
                exec(compile("\n" * (line - 1) + text, self.work["file"], "exec"), self.names)
            except BaseException as error:
                if tells:
                    tell("TOP", f"line {line}:", described(error))

    def tests(self):
        """Name, function, class and marks of each test."""
        for key, value in list(self.names.items()):
            if key.startswith("test") and inspect.isfunction(value):
                yield key, value, None, marks_of(value)
            elif key.startswith("Test") and isinstance(value, type):
                for name in dir(value):
                    function = getattr(value, name)
                    if name.startswith("test") and callable(function):
                        yield f"{key}.{name}", function, value, marks_of(value) + marks_of(function)

    def values_of(self, name, holder):
        """The values of a fixture, each with what comes after the test, or None."""
        found = getattr(type(holder), name, None)
        own = found is not None
        if not own:
            named = [each for each in self.names.values() if getattr(each, "fixture_name", None) == name]
            found = named[0] if named else self.names.get(name)
        if not hasattr(found, "fixture_params"):
            made = given_by_pytest(name)
            yield made, after(made)
            return
        for param in found.fixture_params:
            arguments = {each: Request(param) if each == "request" else next(self.values_of(each, holder))[0]
                         for each in inspect.signature(found).parameters if each != "self"}
            made = found(holder, **arguments) if own else found(**arguments)
            yield (next(made), made) if inspect.isgeneratorfunction(found) else (made, iter([None]))

    def names_for_all(self, holder):
        """The fixtures around every test."""
        own = {name: getattr(type(holder), name) for name in dir(type(holder))} if holder else {}
        return [name for name, value in {**self.names, **own}.items() if getattr(value, "is_for_all", False)]

    def run(self, function, holder_class, row):
        """Runs a case, once for each value of the fixtures that it takes."""
        holder = holder_class() if holder_class is not None else None
        parameters = inspect.signature(function).parameters
        wanted = [name for name in list(parameters)[holder is not None:]
                  if name not in row and parameters[name].default is inspect.Parameter.empty
                  and parameters[name].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
        used = [*wanted, *(name for name in self.names_for_all(holder) if name not in wanted)]
        for given in itertools.product(*[list(self.values_of(name, holder)) for name in used]):
            arguments = dict(zip(wanted, (value for value, _ in given)))
            try:
                self.run_once(function, holder, {**row, **arguments})
            finally:
                for _, rest in given:
                    next(rest, None)

    @staticmethod
    def run_once(function, holder, arguments):
        """Runs a test between what its class does before and after."""
        if holder is None:
            return function(**arguments)
        kind = type(holder)
        if hasattr(kind, "setup_class") and kind not in PREPARED:
            PREPARED.add(kind)
            kind.setup_class()
        if hasattr(holder, "setup_method"):
            takes = inspect.signature(holder.setup_method).parameters
            holder.setup_method(*[None for _ in takes])
        try:
            function(holder, **arguments)
        finally:
            if hasattr(holder, "teardown_method"):
                holder.teardown_method()


PREPARED = set()  # classes of tests whose setup_class has run


def marks_of(thing):
    return list(getattr(thing, "given_marks", ()))


def given_by_pytest(name):
    """The fixtures that need no definition."""
    if name == "tmp_path":
        return pathlib.Path(tempfile.mkdtemp())
    if name == "tmpdir":
        return tempfile.mkdtemp()
    if name == "monkeypatch":
        return pytest.MonkeyPatch()
    raise pytest.Skipped(f"no fixture {name}")


def after(made):
    """What comes after a test that was given this."""
    if isinstance(made, pytest.MonkeyPatch):
        made.undo()
    yield


def tell(*words):
    print(*words, flush=True)


def described(error):
    text = str(error)[:300].replace("\n", "|")
    return f"{type(error).__name__} {text}"


def stop_case(*signal_and_frame):
    raise TooSlow(f"more than {SECONDS} seconds")


def run_case(suite, name, function, holder_class, row):
    """Runs a case and tells how it went."""
    signal.alarm(SECONDS)
    try:
        suite.run(function, holder_class, row)
        signal.alarm(0)
        tell("PASS", name)
    except pytest.Skipped:
        signal.alarm(0)
        tell("SKIP", name)
    except BaseException as error:
        signal.alarm(0)
        tell("FAIL", f"{name}:", described(error))
    np.seterr(divide="warn", over="warn", under="ignore", invalid="warn")


def main(pieces, first, part=""):
    """Runs the cases of the file."""
    with open(pieces) as file:
        suite = Suite(json.load(file))
    warnings.simplefilter("ignore", DeprecationWarning)
    suite.define(tells=int(first) == 0)
    signal.signal(signal.SIGALRM, stop_case)
    number = 0
    for name, function, holder_class, marks in suite.tests():
        if part not in name or is_left_out(marks):
            continue
        try:
            rows = rows_of(marks)
        except Exception as error:
            tell("FAIL", f"{name}:", described(error))
            continue
        for place, row in enumerate(rows):
            number += 1
            if number > int(first):
                tell("RUN", number, f"{name}[{place}]")
                run_case(suite, f"{name}[{place}]", function, holder_class, row)
    tell("DONE")


main(*sys.argv[1:])
