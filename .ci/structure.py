#!/usr/bin/env python3
"""Checks that the folders inside each target depend on each other in one direction only.

SwiftPM keeps targets acyclic. Inside a target nothing does, so this script looks for the names of
types: a folder depends on another one if a file of it names a type that only the other one
declares. It is an approximation (members of extensions are not seen), good enough to notice a new
cycle. With --graph it prints what it has found; with --sizes the longest files.

Exit status 1: a target has a cycle, a file is too long, a suite of asynchronous tests has no time
limit, a page is missing, or a page names a file that does not exist.
"""
import collections
import graphlib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# A file is one idea.
LONGEST_FILE = 300

PAGES = [
    "README.md",
    ".github/CONTRIBUTING.md",
    "Sources/Weir/Documentation.docc/Behaviour.md",
    "Sources/Weir/Documentation.docc/Internals.md",
    "Sources/Weir/Documentation.docc/Performance.md",
]

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
    r"(?:class|struct|enum|protocol|actor|typealias)\s+([A-Z]\w*)", re.M)
RAW_STRINGS = re.compile(r'(#+)"(?:.|\n)*?"\1')
STRINGS = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"')
COMMENTS = re.compile(r"//[^\n]*|/\*(?:.|\n)*?\*/")
WORD = re.compile(r"\b[A-Z]\w*")

# The declarations that tests are in, and the tests.
TEST_OR_TYPE = re.compile(
    r"^( *)(?:@Test\b|(?:@\w+(?:\([^\n]*\))? )*(?:(?:private|fileprivate|final|package|public) )*"
    r"(struct|class|actor|enum|extension) ([\w.]+))", re.M)


def targets():
    """The names and folders of the library's targets, as the package describes them."""
    described = subprocess.run(
        ["swift", "package", "describe", "--type", "json"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for target in json.loads(described[described.index("{"):])["targets"]:
        if target["type"] == "library" and target["path"].startswith("Sources/"):
            yield target["name"], target["path"]


def code_by_folder(path):
    """For each folder below a target's own, the code of its files without comments and strings."""
    folders = collections.defaultdict(dict)
    base = os.path.join(ROOT, path)
    for directory, _, names in os.walk(base):
        for name in names:
            if not name.endswith(".swift"):
                continue
            file = os.path.join(directory, name)
            folder = os.path.relpath(directory, base)
            with open(file, encoding="utf-8") as text:
                folders[folder][file] = STRINGS.sub('""', COMMENTS.sub("", text.read()))
    return folders


def dependencies(folders):
    """Which folder names types of which other one, with an example for each."""
    homes = collections.defaultdict(set)
    for folder, files in folders.items():
        for code in files.values():
            for name in DECLARATION.findall(code):
                homes[name].add(folder)
    edges = collections.defaultdict(dict)
    for folder, files in folders.items():
        for file, code in files.items():
            for name in set(WORD.findall(code)):
                home = homes.get(name)
                # A name that several folders declare says nothing.
                if home and len(home) == 1 and folder not in home:
                    edges[folder].setdefault(next(iter(home)), []).append((name, file))
    return edges


def siblings(edges):
    """The same dependencies between the folders of one folder, for each folder that has some.

    A folder stands for everything in it. Files beside a folder are the front door to it and not
    looked at: the two are one unit.
    """
    levels = collections.defaultdict(lambda: collections.defaultdict(dict))
    for folder, others in edges.items():
        for other, examples in others.items():
            here, there = folder.split(os.sep), other.split(os.sep)
            depth = len(os.path.commonprefix([here, there]))
            if min(len(here), len(there)) == depth or "." in (here[depth], there[depth]):
                continue
            parent = os.sep.join(here[:depth])
            own = os.path.join(parent, here[depth])
            levels[parent][own].setdefault(os.path.join(parent, there[depth]), []).extend(examples)
    return levels.values()


def cycles(edges):
    """A group of folders that depend on each other in a cycle, in a list; empty if there is none."""
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError as error:
        return [sorted(set(error.args[1]))]
    return []


def check_folders(shows_graph):
    failures = []
    for name, path in targets():
        edges = dependencies(code_by_folder(path))
        if shows_graph:
            print(f"{name}:")
            for folder in sorted(edges):
                print(f"  {folder} -> {', '.join(sorted(edges[folder]))}")
        for level in siblings(edges):
            for group in cycles(level):
                failures.append(name)
                print(f"{name}: these folders depend on each other: {', '.join(group)}")
                for folder in group:
                    for other in group:
                        examples = level.get(folder, {}).get(other, [])
                        for type_name, file in examples if shows_graph else examples[:3]:
                            print(f"  {folder} -> {other}: "
                                  f"{type_name} in {os.path.relpath(file, ROOT)}")
    return failures


def check_sizes(shows_sizes):
    lengths = []
    for directory, _, names in os.walk(os.path.join(ROOT, "Sources")):
        for name in names:
            if name.endswith(".swift"):
                file = os.path.join(directory, name)
                with open(file, encoding="utf-8") as text:
                    lengths.append((sum(1 for _ in text), os.path.relpath(file, ROOT)))
    lengths.sort(reverse=True)
    if shows_sizes:
        for length, file in lengths[:20]:
            print(f"{length:5} {file}")
    failures = [f for length, f in lengths if length > LONGEST_FILE]
    for file in failures:
        print(f"{file} is longer than {LONGEST_FILE} lines: split it by idea.")
    return failures


def tests(code):
    """The asynchronous tests of a file, and the types that have a time limit.

    Each test comes with the names of the types that it is in, and whether it has a limit itself.
    """
    found, limited, around = [], set(), []
    for match in TEST_OR_TYPE.finditer(code):
        indent, kind, name = len(match[1]), match[2], match[3]
        around = [outer for outer in around if outer[0] < indent]
        if kind:
            around.append((indent, name))
            attributes = code[code.rfind("\n\n", 0, match.start()) + 1:match.start()]
            if kind != "extension" and "timeLimit(" in attributes:
                limited.add(".".join(name for _, name in around))
            continue
        function = re.compile(r"\bfunc\s+(`[^`]*`|\w+)[^{]*").search(code, match.end())
        if function and re.search(r"\)\s*async\b", function[0]):
            has_limit = "timeLimit(" in code[match.start():function.start()]
            found.append((".".join(name for _, name in around), function[1], has_limit))
    return found, limited


def check_limits():
    """Every suite with an asynchronous test has a time limit: a test that hangs is cancelled, and named."""
    found, limited = [], set()
    for directory, _, names in os.walk(os.path.join(ROOT, "Tests")):
        for name in (name for name in names if name.endswith(".swift")):
            file = os.path.relpath(os.path.join(directory, name), ROOT)
            with open(os.path.join(ROOT, file), encoding="utf-8") as text:
                code = STRINGS.sub('""', RAW_STRINGS.sub('""', COMMENTS.sub("", text.read())))
            target = file.split(os.sep)[1]
            here, types = tests(code)
            found += [(target, file, *test) for test in here]
            limited |= {(target, type_name) for type_name in types}
    failures = []
    for target, file, suite, test, has_limit in found:
        parts = suite.split(".")
        outer = (".".join(parts[:count]) for count in range(1, len(parts) + 1))
        if not has_limit and not any((target, name) in limited for name in outer):
            print(f"{file}: {test} of {suite or 'no suite'} is asynchronous; its suite needs a .timeLimit.")
            failures.append(file)
    return failures


def check_pages():
    """Every path of the repository that a page names exists; the README stays short."""
    failures = []
    for page in PAGES:
        file = os.path.join(ROOT, page)
        if not os.path.exists(file):
            print(f"{page} is missing.")
            failures.append(page)
            continue
        with open(file, encoding="utf-8") as text:
            content = text.read()
        for path in set(re.findall(r"(?:(?<![\w/.])|(?<=\.\./))(?:Sources|Tests|Benchmarks|\.ci|\.github)/[\w./+-]*\w", content)):
            if not os.path.exists(os.path.join(ROOT, path)):
                print(f"{page} names {path}, which does not exist.")
                failures.append(page)
        lines = content.count("\n")
        if page == "README.md" and lines > 200:
            print(f"README.md has {lines} lines; 200 is the limit.")
            failures.append(page)
    return failures


def main():
    failures = check_folders("--graph" in sys.argv)
    failures += check_sizes("--sizes" in sys.argv)
    failures += check_limits()
    failures += check_pages()
    if failures:
        sys.exit(1)
    print("Folders form no cycle, no file is too long, no test lacks a time limit, and every named file exists.")


main()
