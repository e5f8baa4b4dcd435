#!/usr/bin/env python3
"""Checks that no room includes a header of a room above it, and that special headers stay in their rooms."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#include\s+["<]([^">]+)[">]', re.M)

# Room (longest prefix wins) -> prefixes it may include from this repository.
RUNTIME = ("interpreter/runtime/", "interpreter/types/", "interpreter/evaluator/", "interpreter/syntax/")
ROOMS = {
    "kernels/table/": ("kernels/table/",),
    "kernels/include/": ("strider/nd/", "kernels/table/"),
    "kernels/core/": ("kernels/core/", "kernels/table/", "kernels/backend/", "strider/nd/"),
    "kernels/graph/": ("kernels/graph/", "kernels/core/", "kernels/table/", "strider/nd/",
                       "kernels/backend/backend.h", "kernels/backend/library.h",
                       "kernels/backend/loop.h", "kernels/backend/matrix_layout.h"),
    "kernels/instructions/": ("kernels/instructions/", "kernels/core/", "kernels/table/", "strider/nd/"),
    "kernels/backend/": ("kernels/backend/", "kernels/instructions/", "kernels/core/", "kernels/table/",
                         "strider/nd/"),
    # It plays a device whose libraries are the host's own routines.
    "kernels/backend/mirror/": ("kernels/", "strider/nd/"),
    "kernels/": ("kernels/", "strider/nd/"),
    "drawing/": ("drawing/",),
    "pictures/": ("pictures/",),
    "tls/": ("tls/",),
    "compiler/": ("compiler/",),
    "interpreter/syntax/": ("interpreter/syntax/",),
    "interpreter/runtime/": RUNTIME,
    "interpreter/types/": RUNTIME,
    "interpreter/evaluator/": RUNTIME,
    "interpreter/builtins/": ("interpreter/builtins/", "strider/nd/", "kernels/table/",
                              "drawing/drawing.h", "pictures/pictures.h", "tls/tls.h",
                              "compiler/compiler.h") + RUNTIME,
    "interpreter/session/": ("interpreter/", "strider/nd/"),
    "interpreter/repl/": ("interpreter/repl/", "interpreter/session/"),
    "interpreter/notebook/": ("interpreter/notebook/", "interpreter/session/"),
    "interpreter/cli/": ("interpreter/cli/", "interpreter/repl/", "interpreter/notebook/",
                         "interpreter/session/"),
    "jupyter-kernel/": ("jupyter-kernel/", "interpreter/session/", "interpreter/runtime/program/front.h"),
}
# Header prefix -> the only rooms that may include it.
SPECIAL = {
    "cuda": ("kernels/backend/cuda/",),
    "nvrtc": ("kernels/backend/cuda/",),
    "cublas": ("kernels/backend/cuda/library/",),
    "cufft": ("kernels/backend/cuda/library/",),
    "cusolver": ("kernels/backend/cuda/library/",),
    "xbyak": ("kernels/backend/cpu/",),
    "immintrin.h": ("kernels/",),
    "nlohmann/": ("interpreter/notebook/", "jupyter-kernel/"),
    "xeus": ("jupyter-kernel/",),
    "zmq": ("jupyter-kernel/",),
    "cairo": ("drawing/",),
    "chafa": ("drawing/",),
    "jpeglib.h": ("pictures/",),
    "webp/": ("pictures/",),
    "openssl/": ("tls/",),
    "llvm": ("compiler/",),
    "CLI/": ("interpreter/cli/",),
}


def room_of(path):
    return max((room for room in ROOMS if path.startswith(room)), key=len, default=None)


def complaints(path, text):
    room = room_of(path)
    for header in INCLUDE.findall(text):
        ours = header.startswith(("interpreter/", "jupyter-kernel/", "kernels/", "strider/", "drawing/",
                                  "pictures/", "tls/", "compiler/"))
        if ours and room and not header.startswith(ROOMS[room]):
            yield f"{path}: {room} may not include {header}"
        for prefix, rooms in SPECIAL.items():
            if header.startswith(prefix) and not path.startswith(rooms):
                yield f"{path}: {header} belongs to {', '.join(rooms)}"


def main():
    found = []
    for folder in ("kernels", "interpreter", "jupyter-kernel", "drawing", "pictures", "tls", "compiler"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".def"):
                found += complaints(str(path.relative_to(ROOT)), path.read_text())
    print("\n".join(found) or "every include keeps to its layer")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
