"""A stand-in for pytest, as far as NumPy's tests use it. Imported by the worker; knows nothing of NumPy."""
import importlib
import os
import re
import warnings


class Skipped(Exception):
    """Raised to leave a test out."""


class Failed(AssertionError):
    """Raised where what was expected did not happen."""


def skip(reason="", allow_module_level=False):
    """Leaves the test out."""
    raise Skipped(reason)


xfail = skip


def fail(reason="", pytrace=True):
    """Lets the test fail."""
    raise Failed(reason)


def importorskip(name, minversion=None, reason=None):
    """The module, where there is one."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise Skipped(name) from None


class _Raises:
    """The context that `raises` gives; tells what was raised as `value` and `type`."""

    def __init__(self, expected, match=None):
        self.expected, self.pattern = expected, match
        self.value = self.type = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            raise Failed(f"{self.expected} was not raised")
        if not issubclass(kind, self.expected):
            return False
        self.value, self.type = value, kind
        if self.pattern is not None:
            self.match(self.pattern)
        return True

    def match(self, pattern):
        """Refuses an error whose text does not hold the pattern."""
        if not re.search(pattern, str(self.value)):
            raise Failed(f"{str(self.value)!r} does not match {pattern!r}")
        return True


def raises(expected, *args, match=None, **kwargs):
    """A context, or a call, in which an error is expected."""
    if not args:
        return _Raises(expected, match)
    with _Raises(expected, match) as told:
        args[0](*args[1:], **kwargs)
    return told


class _Warns:
    """The context that `warns` gives: a list of what was warned of."""

    def __init__(self, expected, match=None):
        self.expected, self.pattern = expected, match

    def __enter__(self):
        self.catching = warnings.catch_warnings(record=True)
        self.met = self.catching.__enter__()
        warnings.simplefilter("always")
        return self.met

    def __exit__(self, kind, value, trace):
        self.catching.__exit__(kind, value, trace)
        if kind is None and not any(self.fits(each) for each in self.met):
            raise Failed(f"no {self.expected} among {[str(each.message) for each in self.met]}")
        return False

    def fits(self, warning):
        """Whether this is a warning that was expected."""
        return issubclass(warning.category, self.expected) and (
            self.pattern is None or re.search(self.pattern, str(warning.message)))


def warns(expected=Warning, *args, match=None, **kwargs):
    """A context, or a call, in which a warning is expected."""
    if not args:
        return _Warns(expected, match)
    with _Warns(expected, match):
        return args[0](*args[1:], **kwargs)


def deprecated_call(*args, **kwargs):
    """The same for what is deprecated."""
    return warns((DeprecationWarning, PendingDeprecationWarning), *args, **kwargs)


class Param:
    """Values of a parametrized test with marks of their own."""

    def __init__(self, values, marks):
        self.values = values
        self.marks = list(marks) if isinstance(marks, (list, tuple)) else [marks]


def param(*values, marks=(), id=None):
    """One row of a parametrized test."""
    return Param(values, marks)


class Mark:
    """A mark by its name; called with a function or a class it marks that, else it takes arguments."""

    def __init__(self, name, args=None, kwargs=None):
        self.name, self.args, self.kwargs = name, args, kwargs

    def __call__(self, *args, **kwargs):
        bare = self.args is None and len(args) == 1 and not kwargs and callable(args[0])
        if self.args is None and not (bare and self.name != "parametrize"):
            return Mark(self.name, args, kwargs)
        marked = args[0]
        marked.given_marks = [*getattr(marked, "given_marks", ()), self]
        return marked


class _Marks:
    def __getattr__(self, name):
        return Mark(name)


mark = _Marks()


def fixture(function=None, *, params=None, name=None, autouse=False, **rest):
    """Marks a function as what tests take by its name, or what all of them run between its halves."""
    def note(made):
        made.fixture_params, made.fixture_name, made.is_for_all = params or [None], name, autouse
        return made
    return note if function is None else note(function)


class approx:
    """Equal to what is near enough."""

    def __init__(self, expected, rel=None, abs=None):
        self.expected, self.rel, self.abs = expected, rel or 1e-6, abs or 1e-12

    def __eq__(self, other):
        return abs(other - self.expected) <= max(self.abs, self.rel * abs(self.expected))


class MonkeyPatch:
    """Changes for the time of a test."""

    def __init__(self):
        self.ways_back = []

    def setattr(self, target, name, value, raising=True):
        """Sets an attribute."""
        old = getattr(target, name)
        self.ways_back.append(lambda: setattr(target, name, old))
        setattr(target, name, value)

    def setenv(self, name, value):
        """Sets a variable of the environment."""
        self.delenv(name)
        self.ways_back.append(lambda: os.environ.pop(name, None))
        os.environ[name] = value

    def delenv(self, name, raising=True):
        """Deletes a variable of the environment."""
        old = os.environ.pop(name, None)
        if old is not None:
            self.ways_back.append(lambda: os.environ.__setitem__(name, old))

    def chdir(self, path):
        """Changes the folder."""
        old = os.getcwd()
        self.ways_back.append(lambda: os.chdir(old))
        os.chdir(path)

    def undo(self):
        """Puts everything back."""
        while self.ways_back:
            self.ways_back.pop()()
