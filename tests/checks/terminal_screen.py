"""What a person sees: follows the bytes of a terminal on a screen whose lines are never forgotten."""

import re
import unicodedata

SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b[=>78]|\x1b\([A-Z0-9]")


class Screen:
    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [[]]
        self.row = self.column = 0
        self.top = 0          # the first row of the window
        self.rest = ""        # the beginning of a sequence
        self.colours = set()  # sequences of colours that came

    def feed(self, text):
        text = self.rest + text
        self.rest = ""
        at = 0
        while at < len(text):
            if text[at] != "\x1b":
                self.put(text[at])
                at += 1
                continue
            match = SEQUENCE.match(text, at)
            if not match:
                self.rest = text[at:] if len(text) - at < 32 else ""
                return
            if match.group(2):
                self.control(match.group(1), match.group(2))
            at = match.end()

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.go_to_row(self.row + 1)
        elif character == "\b":
            self.column = max(0, self.column - 1)
        elif character >= " ":
            wide = unicodedata.east_asian_width(character) in "WF"
            if self.column + 1 + wide > self.columns:
                self.column = 0
                self.go_to_row(self.row + 1)
            line = self.lines[self.row]
            line.extend(" " * (self.column - len(line)))
            line[self.column:self.column + 1 + wide] = [character] + [""] * wide
            self.column += 1 + wide

    def go_to_row(self, row):
        self.row = max(self.top, row)
        while len(self.lines) <= self.row:
            self.lines.append([])
        self.top = max(self.top, self.row - self.rows + 1)

    def control(self, numbers, letter):
        count = int(numbers) if numbers.isdigit() else 0
        line = self.lines[self.row]
        if letter == "A":
            self.go_to_row(self.row - max(count, 1))
        elif letter == "B":
            self.go_to_row(min(self.row + max(count, 1), self.top + self.rows - 1))
        elif letter == "C":
            self.column = min(self.column + max(count, 1), self.columns - 1)
        elif letter == "D":
            self.column = max(self.column - max(count, 1), 0)
        elif letter == "H":
            self.row, self.column = self.top, 0
        elif letter == "K" or (letter == "J" and count == 0):
            del line[self.column:]
            if letter == "J":
                del self.lines[self.row + 1:]
        elif letter == "J":
            self.lines[self.top:] = [[] for _ in self.lines[self.top:]]
        elif letter == "m":
            self.colours.add(numbers)

    def text(self, first=0, whole=False):
        """The lines from `first` on, up to the cursor or all of them."""
        first = min(first, self.row)  # what stood there may have been cleared
        lines = ["".join(line) for line in self.lines[first:]]
        if whole:
            return "\n".join(lines)
        lines = lines[:self.row - first + 1]
        lines[-1] = "".join(self.lines[self.row][:self.column])
        return "\n".join(lines)
