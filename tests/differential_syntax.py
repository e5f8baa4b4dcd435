"""Compares the trees of our parser with those of Python's ast module, over the standard library.

usage: differential_syntax.py SYNTAX_DUMP [--spans] [FILE or DIRECTORY ...]
"""

import ast
import collections
import pathlib
import re
import subprocess
import sys
import sysconfig
import unicodedata
import warnings

BATCH = 40
REWRITTEN = re.compile(r"\b(AsyncFunctionDef|AsyncFor|AsyncWith|Await|TryStar)\(")
UNSUPPORTED = re.compile(r"not supported")


def text_of(data):
    """Bytes as the dump writes them."""
    return "".join(
        chr(b) if 32 <= b < 127 and b not in (39, 92) else f"\\x{b:02x}" for b in data
    )


def constant(value):
    match value:
        case None | True | False:
            return str(value)
        case int():
            return f"Int({value})"
        case float():
            return f"Float({value:.17g})"
        case complex():
            return f"Complex({value.imag:.17g})"
        case str():
            return f"Str('{text_of(value.encode('utf-8', 'surrogatepass'))}')"
        case bytes():
            return f"Bytes('{text_of(value)}')"
    return "Ellipsis"


class Dumper:
    """Writes Python's tree as our dump does."""

    def __init__(self, source, spans):
        self.spans = spans
        self.formatted_depth = 0
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node):
        if not self.spans or self.formatted_depth or not hasattr(node, "lineno"):
            return ""
        begin = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[node.end_lineno - 1] + node.end_col_offset
        return f"@{begin}-{end}"

    def field(self, node, name):
        value = getattr(node, name, None)
        if isinstance(node, (ast.Constant, ast.MatchSingleton)):
            return constant(value)
        if name == "level":
            return str(value or 0)
        if isinstance(value, list):
            return "[" + ", ".join(self.item(v) for v in value) + "]"
        return self.item(value)

    def item(self, value):
        if isinstance(value, ast.AST):
            return self.node(value)
        if isinstance(value, str):
            return f"'{value}'"
        return str(value)

    def node(self, node):
        skipped = ("type_comment", "kind", "type_ignores", "is_async")
        fields = [f for f in node._fields if f not in skipped]
        formatted = isinstance(node, ast.JoinedStr)
        self.formatted_depth += formatted  # 3.11's positions inside f-strings are rough
        inner = ", ".join(f"{f}={self.field(node, f)}" for f in fields)
        self.formatted_depth -= formatted
        return f"{type(node).__name__}({inner}){self.span(node)}"


def expected(path, spans):
    data = path.read_bytes()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data, filename=str(path))
        except (SyntaxError, ValueError) as error:
            return f"error {type(error).__name__}: {error}"
    if data.startswith(b"\xef\xbb\xbf"):
        spans = False
    return "ok " + Dumper(data, spans).node(tree)


def normalise(line):
    """Integers as Python writes them; names in Python's normal form, which we do not build."""
    line = unicodedata.normalize("NFKC", line)
    return re.sub(r"BigInt\((\w+)\)", lambda m: f"Int({int(m[1], 0)})", line)


def is_utf8(path):
    try:
        path.read_bytes().decode("utf-8")
        return b"coding" not in b"".join(path.read_bytes().splitlines()[:2])
    except UnicodeDecodeError:
        return False


def first_difference(ours, theirs):
    place = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b),
                 min(len(ours), len(theirs)))
    low = max(0, place - 120)
    return f"    ours:   {ours[low:place + 120]}\n    python: {theirs[low:place + 120]}"


def python_files(arguments):
    roots = [pathlib.Path(a) for a in arguments] or [pathlib.Path(sysconfig.get_path("stdlib"))]
    for root in roots:
        found = [root] if root.is_file() else sorted(root.rglob("*.py"))
        yield from (p for p in found if arguments or "site-packages" not in p.parts)


def main():
    sys.setrecursionlimit(20000)
    program, *rest = sys.argv[1:]
    spans = "--spans" in rest
    files = [p for p in python_files([r for r in rest if r != "--spans"]) if is_utf8(p)]
    same = different = unsupported = 0
    reasons = collections.Counter()
    for start in range(0, len(files), BATCH):
        batch = files[start:start + BATCH]
        command = [program, *(["--spans"] if spans else []), *map(str, batch)]
        run = subprocess.run(command, capture_output=True, text=True)
        lines = run.stdout.splitlines()
        if run.returncode != 0 or len(lines) != len(batch):
            sys.exit(f"{program} failed on one of {batch}: {run.stderr}")
        for path, line in zip(batch, lines):
            ours, theirs = normalise(line), expected(path, spans)
            both_fail = ours.startswith("error") and theirs.startswith("error")
            if ours == theirs or both_fail:
                same += 1
            elif ours.startswith("ok") and REWRITTEN.search(theirs):
                unsupported += 1
                reasons["asynchronous code and except* are written as other statements"] += 1
            elif UNSUPPORTED.search(ours[:200]):
                unsupported += 1
                reasons[ours.split(maxsplit=4)[4]] += 1
            else:
                different += 1
                print(f"DIFFERENT {path}\n{first_difference(ours, theirs)}")
    for reason, count in reasons.most_common():
        print(f"unsupported: {count} {reason}")
    print(f"{same} same, {different} different, {unsupported} with unsupported syntax")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
