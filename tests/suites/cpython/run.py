#!/usr/bin/env python3
"""Runs CPython's own tests, as Debian's package libpython3.11-testsuite brings them, under strider.

    tests/suites/cpython/run.py --strider build/release/bin/strider [--jobs 2] [--files PART] [--cases PART]
                                [--show] [--record] [--all]

passed.txt is the record (see recorded.py), and names the files that run: those whose outcome depends neither on
the machine nor on its speed; --all runs the others, too. --record writes it anew. --show tells each case
that fails, and why; with --strider /usr/bin/python3.11 it is CPython itself that runs. Nothing of CPython's tests
is kept here.
"""

import os
import resource
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import recorded  # noqa: E402

RECORD = HERE / "passed.txt"
TESTS = Path("/usr/lib/python3.11/test")
MOST_MEMORY = 8 << 30  # bytes of a worker
MOST_SECONDS = 60  # of a worker
# Tests that a module has run twice, once with a version of CPython's that is not native.
TESTERS = ("datetimetester",)
# What programs of strider cannot reach: the C interface, bytecode, other interpreters, graphics, the network.
OUTSIDE = ("capi", "test_peg_generator", "test_tools", "test_c_", "test_clinic", "test_dis", "test_code", "test__xx",
           "test_embed", "test_idle", "test_tk", "test_ttk", "test_tix", "test_turtle", "test_curses", "test_ssl",
           "test_lib2to3", "test_distutils", "test_ctypes", "test_gdb", "test_multiprocessing", "test_ensurepip",
           "test_venv", "test_regrtest", "test_opcache", "test_perf", "test_peepholer", "test_smtp", "test_ftp",
           "test_imap", "test_poplib", "test_nntp", "test_telnet", "test_msilib", "test_winreg", "test_winsound",
           "test_winconsoleio", "test_wmi", "test_ossaudiodev", "test_kqueue", "test_devpoll", "test_startfile",
           "test_crashers", "test_zipfile64", "test_bigmem", "test_bigaddrspace", "test_unicode_file")


def find_files(part, record):
    """The modules of tests; those of the record, or all where it is None."""
    found = sorted(".".join(path.relative_to(TESTS).with_suffix("").parts) for path in TESTS.rglob("test_*.py"))
    return [name for name in (*TESTERS, *found) if part in name and (record is None or name in record)
            and not any(each in name for each in OUTSIDE)]


def limit_memory():
    """In a worker, before it begins."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def main():
    """Runs the modules side by side, each in a folder of its own."""
    options = recorded.parse_options(__doc__.split("\n")[0], "--all")
    strider = Path(options.strider).resolve()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "path"
        path.mkdir()
        (path / "test").symlink_to(TESTS)

        def run_file(name):
            work = Path(folder) / name
            work.mkdir()
            return recorded.run_cases(
                lambda first: [strider, HERE / "worker.py", f"test.{name}", first, options.cases],
                cwd=work, env={**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"},
                preexec_fn=limit_memory, timeout=MOST_SECONDS)

        names = find_files(options.files, None if options.all else recorded.read_record(RECORD))
        return recorded.run_suite(options, names, run_file, RECORD, "Cases that passed, of CPython 3.11's")


if __name__ == "__main__":
    sys.exit(main())
