#!/usr/bin/env python3
"""Writes the expectations of the tests: what graphql-core finds in the documents beside this file.

    python3 -m venv venv && venv/bin/pip install graphql-core==3.3.2
    venv/bin/python Tests/GraphQLValidationTests/Expectations/expect.py

Besides the documents themselves it makes mutations of the valid ones: one change at a random place,
from a fixed seed. Messages are those of graphql-js: quotation marks instead of apostrophes, null instead
of None, and locations of directives as in the text of a schema.
"""
import json
import os
import random
import re

from graphql import build_ast_schema, parse, validate
from graphql.validation import OverlappingFieldsCanBeMergedRule, specified_rules

import documents
import mutate
import schemas

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(os.path.dirname(HERE), "Data")

# Neither in the specification: the depth of introspection; @defer and @stream.
SKIPPED = ("MaxIntrospectionDepth", "DeferStream", "StreamDirective")
RULES = [r for r in specified_rules if not r.__name__.startswith(SKIPPED)]


def text(message):
    start, word, place = message.partition(" may not be used on ")
    if word:
        message = start + word + place.upper().replace(" ", "_")
    # Long literals take several lines there; here a message is always one line.
    for pattern, new in ((r"([{\[(])\n\s*", r"\1"), (r"\n\s*([\])])", r"\1"), (r"\n\s*}", " }"),
                         (r"\n\s*", ", "), (r"{(?=\w)", "{ ")):
        if "\n" in message or pattern.startswith("{"):
            message = re.sub(pattern, new, message)
    return message.replace("not to be None", "not to be null").replace("'", '"')


def described(rule, error):
    places = [[l.line, l.column] for l in error.locations or []]
    if rule.startswith("OverlappingFields"):
        # The first half are the first field and fields in it, the second half the other field's.
        # Which of the two comes first depends on what was compared before.
        places = sorted([places[0], places[len(places) // 2]])
    return {"rule": rule.removesuffix("Rule"), "message": text(error.message), "places": places}


def errors(schema, document):
    found = []
    for rule in RULES:
        for error in validate(schema, document, [rule], max_errors=10_000):
            found.append(described(rule.__name__, error))
    return found


def lines(block):
    return [l for l in block.strip().splitlines() if l.strip() and not l.startswith("#")]


def random_selections(chance, depth, fragments):
    """Selections of a type T that often conflict; spreads name later fragments only."""
    parts = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.random()
        if kind < 0.3 or depth == 0:
            parts.append(chance.choice(["k: a", "k: b", "a", "b", "l: c", "l: s", "b: a"]))
        elif kind < 0.65:
            key = chance.choice(["x", "x", "y", "y", "k: x", "z"])
            argument = chance.choice(["", "", "", "(n: 1)"]) if key != "z" else ""
            parts.append(f"{key}{argument} {{ {random_selections(chance, depth - 1, fragments)} }}")
        elif fragments:
            parts.append(f"...{chance.choice(fragments)}")
        else:
            parts.append(f"... {{ {random_selections(chance, depth - 1, fragments)} }}")
    return " ".join(parts)


def random_merging(chance):
    count = chance.randint(0, 4)
    names = [f"F{i}" for i in range(count)]
    text = f"{{ t {{ {random_selections(chance, 3, names)} }} }}"
    for i, name in enumerate(names):
        text += f" fragment {name} on T {{ {random_selections(chance, 2, names[i + 1:])} }}"
    return text


def write(name, data):
    with open(os.path.join(DATA, name), "w", encoding="utf-8") as file:
        file.write("{\n")
        for position, (key, value) in enumerate(data.items()):
            comma = "," if position + 1 < len(data) else ""
            if isinstance(value, list):
                rows = ",\n".join(json.dumps(v, ensure_ascii=False) for v in value)
                file.write(f"{json.dumps(key)}: [\n{rows}\n]{comma}\n")
            else:
                file.write(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}{comma}\n")
        file.write("}\n")


def document_cases():
    sources = dict(documents.SCHEMAS, specification=documents.SPECIFICATION)
    built = {name: build_ast_schema(parse(sdl)) for name, sdl in sources.items()}
    cases = []
    seen = set()

    def add(schema, source):
        if (schema, source) in seen:
            return False
        seen.add((schema, source))
        found = errors(built[schema], parse(source))
        cases.append({"schema": schema, "document": source, "errors": found})
        return True

    for schema in documents.SCHEMAS:
        for source in documents.VALID[schema]:
            add(schema, source)
            assert not cases[-1]["errors"], cases[-1]
        for source in lines(documents.HAND[schema]):
            add(schema, source)
    for source in lines(documents.SPECIFICATION_EXAMPLES):
        add("specification", source)
    written = len(cases)
    chance = random.Random(1)
    for schema in documents.SCHEMAS:
        for source in documents.VALID[schema]:
            wanted = 40
            for _ in range(400):
                text = mutate.mutated(source, chance)
                if text and add(schema, text):
                    wanted -= 1
                    if wanted == 0:
                        break
    merging = []
    while len(merging) < 400:
        source = random_merging(chance)
        found = validate(built["boxes"], parse(source), [OverlappingFieldsCanBeMergedRule])
        # Most random documents have conflicts.
        if sum(not m["conflicts"] for m in merging) < 200 or found:
            if found and sum(m["conflicts"] for m in merging) == 200:
                continue
            merging.append({"document": source, "conflicts": bool(found)})
    print(written, "documents,", len(cases) - written, "mutations,",
          sum(1 for c in cases if c["errors"]), "invalid")
    counts = {}
    for case in cases:
        for rule in {e["rule"] for e in case["errors"]}:
            counts[rule] = counts.get(rule, 0) + 1
    for rule in RULES:
        print(f"  {rule.__name__:40}{counts.get(rule.__name__.removesuffix('Rule'), 0):5}")
    write("documents.json", {"schemas": sources, "cases": cases, "merging": merging})


document_cases()
schemas.write_cases(described, lines, write)
