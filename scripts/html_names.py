#!/usr/bin/env python3
"""Writes stdlib/html/_names.npx, the named characters of HTML 5, out of python3's table of them."""
import pathlib
import textwrap
from html.entities import html5

HEAD = '''"""The named characters of HTML 5 by their names, written by scripts/html_names.py."""

# A name with its semicolon left off, then its characters in hexadecimal digits.
TEXT = """
'''


def main():
    names = sorted((name for name in html5 if name.endswith(";")),
                   key=lambda name: (name.lower(), name))
    words = [name[:-1] + ":" + "+".join(f"{ord(character):x}" for character in html5[name])
             for name in names]
    # Words may break at blanks alone.
    lines = textwrap.wrap(" ".join(words), 99, break_long_words=False, break_on_hyphens=False)
    target = pathlib.Path(__file__).parent.parent / "stdlib/html/_names.npx"
    target.write_text(HEAD + "\n".join(lines) + '\n"""\n')


if __name__ == "__main__":
    main()
