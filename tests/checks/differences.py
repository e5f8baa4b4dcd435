"""Holds what the documentation says is different or missing against both sides; part of documentation.py.

Programs stand in differences.txt. Each sentence of a list of differences has one; each shows a difference. The modules
that python3 has and strider has not are those that docs/packages.md names; stdlib/README.md names all that are there.
Knows nothing of what the documentation shows as examples.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TIME_FACTOR = float(os.environ.get("STRIDER_TIME_FACTOR", 1))  # builds with sanitizers are slow
ROOT = Path(__file__).resolve().parents[2]
LISTS = {"docs/language.md": ("Left out of Python", "Different from CPython", "Left out of NumPy",
                              "Different from NumPy"),
         "stdlib/README.md": ("What differs from CPython 3.11",)}
FIND = """
import importlib.util, sys
def is_there(name):
    try: return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError): return name in sys.modules
print(*[name for name in sys.argv[1:] if is_there(name)])
"""


def on_one_line(text):
    return " ".join(text.split())


def read_table():
    """Triples of page, words of a sentence, and program."""
    blocks = (ROOT / "tests/checks/differences.txt").read_text().split("\n## ")[1:]
    for block in blocks:
        heading, _, program = block.partition("\n")
        page, _, words = heading.partition(": ")
        yield page, words, program.strip() + "\n"


def run(command, *arguments):
    """What a program prints, its last line on stderr, and how it ends."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([command, *arguments], capture_output=True, text=True, cwd=folder,
                              timeout=120 * TIME_FACTOR)
    return done.stdout, done.stderr.strip().split("\n")[-1] if done.returncode else ""


def section(text, heading):
    """The part of a page below a heading."""
    return re.split(r"^## ", text.partition(f"\n## {heading}\n")[2], maxsplit=1, flags=re.M)[0]


def bullets(page):
    """The entries of a page's lists of differences."""
    text = (ROOT / page).read_text()
    for heading in LISTS.get(page, ()):
        for entry in re.split(r"^- ", section(text, heading), flags=re.M)[1:]:
            yield on_one_line(entry)


def check_sentences(table):
    """Sentences without a program, and programs without their sentence."""
    for page in LISTS:
        for entry in bullets(page):
            if not any(where == page and words in entry for where, words, _ in table):
                yield f"{page}: differences.txt has no program for: {entry[:90]}"
    for page, words, _ in table:
        if words not in on_one_line((ROOT / page).read_text()):
            yield f"{page} does not say any more: {words}"


def check_program(strider, page, words, program):
    """What is wrong with one program; None where both sides differ."""
    if program.startswith("unshown:"):
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(program)
        file.flush()
        ours, theirs = run(strider, file.name), run(sys.executable, "-W", "ignore", file.name)
    return f"{page}: no difference any more: {words}" if ours == theirs else None


def check_modules(strider):
    """Modules that are missing and not named so, or named so and not missing."""
    text = section((ROOT / "docs/packages.md").read_text(), "The library of CPython")
    rows = [line.split("|")[2] for line in text.split("\n") if line.startswith("| ")]
    said = {name for row in rows for name in re.findall(r"`([\w.]+)`", row)} - {"dis", "asyncio", "multiprocessing",
                                                                              "encodings", "ctypes", "re", "xml.dom"}
    names = sorted({name for name in sys.stdlib_module_names if not name.startswith("_")} | said)
    theirs, ours = ({*run(command, "-c", FIND, *names)[0].split()} for command in (sys.executable, strider))
    here = {path.name.removesuffix(".npx") for path in (ROOT / "stdlib").iterdir()} - {"README.md", "numpy"}
    table = set(re.findall(r"`([\w.]+)`", "".join(line.split(" | ")[0] for line in
                                                 (ROOT / "stdlib/README.md").read_text().split("\n| ")[1:])))
    yield from (f"docs/packages.md does not say that there is no {name}" for name in sorted(theirs - ours - said))
    yield from (f"docs/packages.md says that there is no {name}" for name in sorted(said & ours))
    yield from (f"stdlib/README.md does not name {name}" for name in sorted(here)
                if not name.startswith("_") and not any(each.split(".")[0] == name for each in table))


def complaints(strider):
    """All that is wrong with what the documentation tells of differences, and how many were looked at."""
    table = list(read_table())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda entry: check_program(strider, *entry), table))
    return [each for each in [*check_sentences(table), *found, *check_modules(strider)] if each], len(table)
