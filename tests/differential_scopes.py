"""Compares our frame layouts with the code objects Python compiles, over the standard library.

Python 3.11 gives list, set and dict comprehensions frames of their own and we do not, so functions
of files are compared only where no comprehension shares variables: those that hold none. Statements
with async and except* are written as others, which have variables of their own (`.v1`).

usage: differential_scopes.py SYNTAX_DUMP [FILE or DIRECTORY ...]
"""

import collections
import inspect
import re
import subprocess
import sys
import types
import warnings

from differential_syntax import is_utf8, normalise, python_files

COMPREHENSION = re.compile(r"<(list|set|dict)comp>")


def code_objects(code):
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from code_objects(constant)


OWN = re.compile(r"\.v\d+")
# Kinds of functions that stop between: ours are all generators.
STOPS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def names(values):
    return tuple(sorted(values))


def layout_of(code):
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS)
    count += bool(code.co_flags & inspect.CO_VARKEYWORDS)
    function = code.co_flags & inspect.CO_OPTIMIZED
    return (
        code.co_varnames[:count],
        names(n for n in code.co_varnames[count:] if n not in code.co_cellvars) if function else (),
        names(code.co_cellvars),
        names(code.co_freevars),
        bool(code.co_flags & STOPS),
    )


def has_comprehension(code):
    return any(COMPREHENSION.match(c.co_name) for c in code_objects(code))


def python_layouts(path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    found = collections.defaultdict(list)
    for top in module.co_consts:
        if isinstance(top, types.CodeType) and not has_comprehension(top):
            for code in code_objects(top):
                found[code.co_qualname].append(layout_of(code))
    return found


def our_layouts(text):
    found = collections.defaultdict(list)
    for line in text.splitlines():
        head, *parts = line.split(" |")
        kind, name = head.split(" ", 1)
        part = {}
        for piece in parts:
            title, *values = piece.split()
            part[title] = [v.partition("<")[0] for v in values if not OWN.match(v)]
        found[name].append((
            tuple(part.get("parameters", ())),
            names(part.get("locals", ())),
            names(part.get("cells", ())),
            names(part.get("free", ())),
            "generator" in part,
        ))
    return found


def main():
    sys.setrecursionlimit(20000)
    program, *rest = sys.argv[1:]
    same = different = 0
    for path in filter(is_utf8, python_files(rest)):
        run = subprocess.run([program, "--scopes", str(path)], capture_output=True, text=True)
        try:
            theirs = python_layouts(path)
        except (SyntaxError, ValueError):
            continue
        if run.stdout.startswith("error"):
            if "not supported" not in run.stdout:
                different += 1
                print(f"DIFFERENT {path}: {run.stdout}", end="")
            continue
        ours = our_layouts(normalise(run.stdout.removesuffix("end\n")))
        for name, layouts in theirs.items():
            if sorted(ours.get(name, [])) == sorted(layouts):
                same += 1
            elif len(ours.get(name, [])) == len(layouts):
                different += 1
                print(f"DIFFERENT {path} {name}\n    ours:   {ours[name]}\n    python: {layouts}")
    print(f"{same} same, {different} different")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
