#!/usr/bin/env python3
"""Writes stdlib/_stringpreptables.npx: the tables of RFC 3454 out of python3's stringprep."""
import pathlib
import stringprep
import textwrap

HEAD = '''"""Tables of RFC 3454, written by scripts/stringprep_tables.py. Part of stringprep."""

# Ranges of characters in hexadecimal digits: unassigned ones (A.1), those of scripts that run
# from left to right (D.2), those that run from right to left (D.1).
'''


def ranges(belongs):
    """The ranges of characters for which a function holds, as words."""
    codes = [code for code in range(0x110000) if belongs(chr(code))]
    words, start = [], None
    for place, code in enumerate(codes):
        start = code if start is None else start
        if place + 1 == len(codes) or codes[place + 1] != code + 1:
            words.append(f"{start:x}" if start == code else f"{start:x}-{code:x}")
            start = None
    return words


def block(name, words):
    """A text of words under a name."""
    lines = textwrap.wrap(" ".join(words), 99, break_long_words=False, break_on_hyphens=False)
    return f'{name} = """\n' + "\n".join(lines) + '\n"""\n'


def main():
    folds = [f"{code:x}:" + "+".join(f"{ord(each):x}" for each in text)
             for code, text in stringprep.b3_exceptions.items()]
    target = pathlib.Path(__file__).parent.parent / "stdlib/_stringpreptables.npx"
    target.write_text(HEAD + block("A1", ranges(stringprep.in_table_a1))
                      + block("D2", ranges(stringprep.in_table_d2))
                      + block("D1", ranges(stringprep.in_table_d1))
                      + "# What characters are folded to where it is not their small letter (B.3).\n"
                      + block("B3", folds))


if __name__ == "__main__":
    main()
