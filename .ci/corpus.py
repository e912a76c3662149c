#!/usr/bin/env python3
"""Writes a large schema and documents for it, always the same for a seed.

The schema has the proportions of a large public one: 64,000 lines with descriptions, interfaces,
unions, connections, enumerations and input objects. Each of the 300 documents has an operation and
fragments that it spreads.

Usage: corpus.py FOLDER [--seed N] [--lines N] [--documents N]
"""
import argparse
import os
import random

SCALARS = ["String", "String!", "Int", "Int!", "Boolean!", "ID!", "DateTime", "DateTime!", "URI"]
WORDS = ["status", "count", "owner", "title", "total", "state", "reason", "branch", "label", "review",
         "commit", "member", "entry", "source", "target", "usage", "number", "policy"]


class Corpus:
    def __init__(self, seed, lines):
        self.random = random.Random(seed)
        self.lines = []
        self.objects, self.fields = [], {}
        # One object takes about 140 lines with its connection and its share of the other types.
        self.names = [f"Thing{index}" for index in range(max(4, lines // 141))]
        self.enums = [f"Kind{index}" for index in range(len(self.names) // 3)]
        self.inputs = [f"Filter{index}" for index in range(len(self.names) // 2)]
        self.unions = [f"Subject{index}" for index in range(max(1, len(self.names) // 12))]

    def write(self, *lines):
        self.lines += lines

    def described(self, text, indent=""):
        self.write(f'{indent}"""', f"{indent}{text}", f'{indent}"""')

    def members(self, name):
        """The fields of an object: leaves, then fields that return objects."""
        own = self.fields[name] = []
        for index in range(self.random.randint(8, 16)):
            word = self.random.choice(WORDS)
            kind = self.random.choice(SCALARS + [self.random.choice(self.enums)])
            own.append((f"{word}{index}", kind, ""))
        for index in range(self.random.randint(2, 5)):
            target = self.random.choice(self.names)
            own.append((f"link{index}", target, ""))
        for index in range(self.random.randint(1, 3)):
            target = self.random.choice(self.names)
            own.append((f"page{index}", f"{target}Connection!", "(first: Int, after: String)"))
        own.append(("subject", self.random.choice(self.unions), ""))

    def object(self, name):
        self.described(f"One of the things that the server knows, called {name}.")
        self.write(f"type {name} implements Node {{")
        self.described("The id of the object.", "  ")
        self.write("  id: ID!")
        for field, kind, arguments in self.fields[name]:
            self.described(f"What the server knows about {field} of {name}.", "  ")
            self.write(f"  {field}{arguments}: {kind}", "")
        self.write("}", "")
        self.write(f"type {name}Connection {{", f"  edges: [{name}Edge]", f"  nodes: [{name}]",
                   "  pageInfo: PageInfo!", "  totalCount: Int!", "}", "",
                   f"type {name}Edge {{", "  cursor: String!", f"  node: {name}", "}", "")

    def schema(self):
        for name in self.names:
            self.members(name)
        self.write("scalar DateTime", "scalar URI", "", "interface Node {", "  id: ID!", "}", "",
                   "type PageInfo {", "  endCursor: String", "  hasNextPage: Boolean!", "}", "",
                   "type Query {", "  node(id: ID!): Node")
        for name in self.names:
            filters = self.random.choice(self.inputs)
            self.write(f"  all{name}(first: Int, filter: {filters}): {name}Connection!")
        self.write("}", "", "type Mutation {")
        for name in self.names:
            filters = self.random.choice(self.inputs)
            self.write(f"  change{name}(id: ID!, filter: {filters}!): {name}")
        self.write("}", "")
        for name in self.names:
            self.object(name)
        for name in self.enums:
            self.described(f"The kinds of {name}.")
            values = [f"  {word.upper()}_{index}" for index, word in enumerate(WORDS[:8])]
            self.write(f"enum {name} {{", *values, "}", "")
        for name in self.inputs:
            self.described(f"What to select by {name}.")
            self.write(f"input {name} {{")
            for index in range(8):
                word = self.random.choice(WORDS)
                self.described(f"Only things with this {word}.", "  ")
                self.write(f"  {word}{index}: {self.random.choice(['String', 'Int', 'ID'] + self.enums)}")
            self.write(f"  and: {self.random.choice(self.inputs)}", "}", "")
        for name in self.unions:
            members = self.random.sample(self.names, min(4, len(self.names)))
            self.write(f"union {name} = {' | '.join(members)}", "")

    def leaves(self, name, count):
        leaves = [field for field, kind, _ in self.fields[name]
                  if not field.startswith(("link", "page", "subject"))]
        return " ".join(["id"] + self.random.sample(leaves, min(count, len(leaves))))

    def document(self, index):
        name = self.random.choice(self.names)
        links = [(field, kind) for field, kind, _ in self.fields[name] if field.startswith("link")]
        parts = []
        text = [f"query Op{index}($first: Int, $filter: {{filter}}) {{{{",
                f"  all{name}(first: $first, filter: $filter) {{{{",
                "    totalCount", "    pageInfo { hasNextPage endCursor }",
                f"    nodes {{{{ ...Row{index} subject {{{{ __typename ... on Node {{{{ id }}}} }}}} }}}}",
                "  }}", "}}"]
        line = next(l for l in self.lines if l.startswith(f"  all{name}("))
        kind = line.split("filter: ")[1].split(")")[0]
        parts.append("\n".join(text).replace("{{", "{").replace("}}", "}").replace("{filter}", kind))
        parts.append(f"fragment Row{index} on {name} {{\n  {self.leaves(name, 6)}\n" + "".join(
            f"  {field} {{ ...Link{index}x{position} }}\n"
            for position, (field, _) in enumerate(links)) + "}")
        for position, (_, kind) in enumerate(links):
            parts.append(f"fragment Link{index}x{position} on {kind} {{\n  {self.leaves(kind, 5)}\n}}")
        return "\n\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=64_000)
    parser.add_argument("--documents", type=int, default=300)
    arguments = parser.parse_args()
    corpus = Corpus(arguments.seed, arguments.lines)
    corpus.schema()
    os.makedirs(os.path.join(arguments.folder, "Documents"), exist_ok=True)
    with open(os.path.join(arguments.folder, "schema.graphqls"), "w", encoding="utf-8") as file:
        file.write("\n".join(corpus.lines))
    for index in range(arguments.documents):
        name = os.path.join(arguments.folder, "Documents", f"Op{index}.graphql")
        with open(name, "w", encoding="utf-8") as file:
            file.write(corpus.document(index))
    print(f"{len(corpus.lines)} lines of schema, {arguments.documents} documents")


main()
