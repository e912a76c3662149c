#!/usr/bin/env python3
"""Counts turns of phrase that make a comment or a message hard to read.

Looks at comment blocks and string literals of Swift sources.
It is a help for whoever writes, not a judge of style: it knows a few dozen patterns. With --list it
prints every block that it has counted.

Exit status 1: more than one comment block or message in a hundred has one.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ["Sources", "Benchmarks", "Tests"]
BOUND = 0.01

MARKERS = re.compile(
    r"""
      \bwho\ (?:waits?|asks?|wants?|reads?|comes|prefers?|writes?|shows?|joins?|needs?|knows?)\b
    | \b(?:for|by|of|to|from|with|whoever|and|but)\ who\b
    | (?:^|[.;:]\s)Who(?:ever)?\ (?!are\b)
    | (?:^|[.;:]\s)Of\ (?:[a-z]+\ )+
    | (?:^|[.;:]\s)What\ (?!is\ the\b|does\b|happens\b)[^?]*$
    | \b(?:is|are|was|were)\ no\ (?!longer\b|more\b|such\b|op\b)(?!\w+\ (?:in|for|to|that|left)\b)[a-z]
    | \b(?:make|makes|made)\ no\ (?:valid|difference)
    | \banew\b
    | \blet(?:s|ting)?\ (?:\w+\ )?go\ of\b
    | \b(?:is|are|was|were|be|been)\ told\b
    | \bnone\ such\b | \bsuch\ a\ one\b | \bthat\ one's\b
    | \bbelongs?\ into\b
    | \bof\ (?:his|one's)\ own\b
    | \b(?:is|are)\ yet\ to\b
    | ,\ else\ (?:nil|it|the|a|an|no|none)\b
    | \bon\ (?:its|their)\ way\b
    | \b(?:all\ the|not\ a)\ same\b
    | \bhas\ to\ hear\b | \bsees\ to\ it\b | \bstop-gap\b | \bleave\ to\ miss\b
    | \bcome[s]?\ to\b(?!\ \w+\ (?:by|from))(?<!has\ come\ to)
    | \bdata\ (?:are|were|have|stand|come)\b
    """,
    re.VERBOSE | re.MULTILINE,
)
STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')


def blocks(path):
    """The comment blocks of a file: line number and text, without the slashes."""
    start, lines, fenced = 0, [], False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            if text.startswith("//"):
                if not lines:
                    start, fenced = number, False
                text = re.sub(r"^/+ ?", "", text)
                if text.startswith("```"):
                    fenced = not fenced
                elif not fenced:
                    lines.append(text)
            elif lines:
                yield start, "\n".join(lines)
                lines = []
        if lines:
            yield start, "\n".join(lines)


def messages(path):
    """The string literals of a file that are sentences: line number and text."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.strip().startswith("//"):
                continue
            for text in STRING.findall(line):
                if text.count(" ") > 3 and "{" not in text and "\\n" not in text:
                    yield number, text


def files(folder):
    for directory, _, names in os.walk(os.path.join(ROOT, folder)):
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.join(directory, name)


def main():
    lists = "--list" in sys.argv
    roots = [a for a in sys.argv[1:] if not a.startswith("--")] or FOLDERS
    failed = False
    for root in roots:
        for kind, read in (("comment blocks", blocks), ("messages", messages)):
            total, odd = 0, 0
            for path in files(root):
                for number, text in read(path):
                    total += 1
                    # A sentence may be broken over lines.
                    found = MARKERS.search(text) or MARKERS.search(text.replace("\n", " "))
                    if found:
                        odd += 1
                        if lists:
                            where = os.path.relpath(path, ROOT)
                            print(f"{where}:{number}: {found.group().strip()!r}")
            rate = odd / max(1, total)
            print(f"{root}: {odd} of {total} {kind} ({rate:.1%})")
            failed = failed or rate > BOUND
    sys.exit(1 if failed else 0)


main()
