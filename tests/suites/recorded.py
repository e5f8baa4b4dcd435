"""Files of tests that others wrote: the cases of each run in a worker, and how many passed is recorded.

A worker tells its cases line by line: "RUN number name" before one, "PASS name", "SKIP name" or
"FAIL name: error" after it, "TOP …" of what failed outside of cases, "DONE" at its end. One that is
lost in a case is started again behind that case. A file passes when as many of its cases pass as
its line in the record says, or more.
"""

import argparse
import concurrent.futures
import subprocess

MOST_CRASHES = 20  # of a file
MOST_SECONDS = 600  # of a worker, whose cases end themselves when they take long


def run_worker(command, settings):
    """The lines that a worker told, and the number and name of the case in which it was lost, if it was."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, **{"timeout": MOST_SECONDS, **settings})
        told, complaints, status = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as stopped:
        told, complaints, status = stopped.stdout or b"", stopped.stderr or b"", "none: it took too long"
    lines = told.decode(errors="replace").splitlines()
    if lines and lines[-1] == "DONE":
        return lines, None
    begun = [line.split(" ", 2) for line in lines if line.startswith("RUN ")]
    if begun:
        return lines, (int(begun[-1][1]), begun[-1][2], status)
    return [*lines, *(f"TOP {line}" for line in complaints.decode(errors="replace").splitlines()[-1:])], None


def run_cases(command_from, **settings):
    """How many cases passed, and what was told of the others; command_from makes a worker's command
    from the number of the case behind which it begins."""
    first, told, crashes = 0, [], 0
    while crashes <= MOST_CRASHES:
        lines, lost = run_worker(command_from(str(first)), settings)
        told += lines
        if lost is None:
            break
        first, case, status = lost
        told.append(f"FAIL {case}: ended with status {status}")
        crashes += 1
    passed = sum(line.startswith("PASS ") for line in told)
    return passed, [line for line in told if line.startswith(("FAIL ", "TOP "))]


def read_record(path):
    """How many cases of each file passed when that was last written down."""
    words = (line.rsplit(" ", 1) for line in path.read_text().splitlines() if not line.startswith("#"))
    return {name: int(count) for name, count in words}


def write_record(path, heading, record):
    """Writes that down."""
    text = "".join(f"{name} {passed}\n" for name, passed in sorted(record.items()))
    path.write_text(f"# {heading}\n{text}")


def parse_options(description, *switches):
    """The options that all of these suites have, and the switches of one."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--strider", required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--files", default="", help="part of the files' names")
    parser.add_argument("--cases", default="", help="part of the cases' names")
    for switch in ("--show", "--record", *switches):
        parser.add_argument(switch, action="store_true")
    return parser.parse_args()


def run_suite(options, names, run_file, path, heading):
    """Runs the files side by side, each by run_file(name), and compares with the record at the path;
    the status is 1 where fewer cases pass than did."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(run_file, names))
    counts = {name: passed for name, (passed, _) in zip(names, results)}
    if options.show:
        for name, (passed, told) in zip(names, results):
            print(f"{name}: {passed} passed, {len(told)} told", *told, sep="\n  ")
    record = {} if options.cases else read_record(path)
    if options.record and not options.cases:
        record = {**record, **counts}
        write_record(path, heading, record)
    fewer = [name for name in names if counts[name] < record.get(name, 0)]
    for name in fewer:
        print(f"FAILED: {name}: {counts[name]} cases pass, {record[name]} did")
        print(*next(told for each, (_, told) in zip(names, results) if each == name), sep="\n  ")
    cases = sum(counts.values()) + sum(len(told) for _, told in results)
    print(f"{sum(counts.values())} of {cases} cases pass")
    print(f"{len(names) - len(fewer)} passed, {len(fewer)} failed")
    return 1 if fewer else 0
