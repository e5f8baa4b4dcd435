"""Runs the unittest cases of one module: `worker.py MODULE FIRST [NAME]`.

The cases behind the number FIRST run, those alone that have NAME in theirs, and are told as
recorded.py says. What they print goes to stderr. Runs under any python3.
"""
import os
import signal
import sys
import unittest

SECONDS = 20  # for a case
TOLD = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


class TooSlow(BaseException):
    """Raised when a case has had its time."""


def stop_case(*signal_and_frame):
    raise TooSlow(f"more than {SECONDS} seconds")


def tell(*words):
    print(*words, file=TOLD, flush=True)


def describe(error):
    """Type and text of an error; of a long text both ends."""
    text = str(error[1]).strip().replace("\n", "|")
    if len(text) > 300:
        text = f"{text[:100]} ... {text[-200:]}"
    return f"{error[0].__name__} {text}"


class Teller(unittest.TestResult):
    """Tells each case as it begins and ends; of one whose parts fail, the first part that did."""

    def __init__(self, first):
        super().__init__()
        self.number = first
        self.failed = False

    def startTest(self, test):
        super().startTest(test)
        self.number += 1
        self.failed = False
        signal.signal(signal.SIGALRM, stop_case)
        tell("RUN", self.number, test.id())
        signal.alarm(SECONDS)

    def stopTest(self, test):
        signal.alarm(0)
        super().stopTest(test)

    def fail(self, test, error):
        signal.alarm(0)
        if not self.failed:
            # An error outside of cases, of a module or a class, has no case begun.
            word = "FAIL" if isinstance(test, unittest.TestCase) else "TOP"
            tell(word, f"{test.id()}:", describe(error))
        self.failed = True

    def addError(self, test, error):
        self.fail(test, error)

    def addFailure(self, test, error):
        self.fail(test, error)

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.fail(test, error)

    def addUnexpectedSuccess(self, test):
        tell("FAIL", f"{test.id()}: passes, which was not expected")

    def addSuccess(self, test):
        tell("PASS", test.id())

    def addExpectedFailure(self, test, error):
        tell("PASS", test.id())

    def addSkip(self, test, reason):
        tell("SKIP", test.id())


def cases_of(suite):
    """The cases of a suite, in their order."""
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from cases_of(each)
        else:
            yield each


def main(module, first, part=""):
    """Runs the cases of the module."""
    cases = [case for case in cases_of(unittest.defaultTestLoader.loadTestsFromName(module)) if part in case.id()]
    unittest.TestSuite(cases[int(first):]).run(Teller(int(first)))
    tell("DONE")


main(*sys.argv[1:])
