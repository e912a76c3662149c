#!/usr/bin/env python3
"""Writes what the reference implementation makes of many documents, for the tests to compare with.

    python3 -m venv .build/reference && .build/reference/bin/pip install graphql-core==3.2.14
    .build/reference/bin/python Tests/GraphQLLanguageTests/Data/generate.py

Pinned to graphql-core 3.2.14, which follows graphql-js 16 and accepts the syntax of September 2025.
The output depends on nothing else: it is the same at every run.

documents.json  valid documents: source, canonical text, minified text
errors.json     invalid documents: source, message, line, column
literals.json   values and types: source, canonical text, and the value of strings

graphql-core measures in code points, graphql-js in UTF-16 code units. Sources are handed over as
UTF-16, one Python character a code unit, which makes graphql-core count as graphql-js does. Its
messages have single quotes where those of graphql-js have double ones; they are replaced.
"""

import json
import pathlib
import random
import re

import graphql
from graphql import GraphQLSyntaxError, parse, parse_type, parse_value, print_ast
from graphql import strip_ignored_characters
from graphql.language import Lexer, StringValueNode, TokenKind, Visitor, visit
from graphql.language import parser as reference_parser
from graphql.language.lexer import is_punctuator_token_kind

from samples import ERRORS, EXECUTABLE, STRINGS, TYPE_SYSTEM, TYPES, VALUES
from grammar import Grammar

assert graphql.version == "3.2.14", graphql.version
HERE = pathlib.Path(__file__).parent


# MARK: the reference implementation, speaking as graphql-js does


def kind_description(kind):
    return f'"{kind.value}"' if is_punctuator_token_kind(kind) else kind.value


def token_description(token):
    value = "" if token.value is None else f' "{token.value}"'
    return kind_description(token.kind) + value


original_code_point = Lexer.print_code_point_at


def code_point(self, location):
    text = original_code_point(self, location)
    return f'"{text[1]}"' if len(text) == 3 and text[0] == "'" else text


reference_parser.get_token_kind_desc = kind_description
reference_parser.get_token_desc = token_description
Lexer.print_code_point_at = code_point


def javascript_message(message):
    message = message.removeprefix("Syntax Error: ")
    message = re.sub(r"^Expected '(\w+)', found", r'Expected "\1", found', message)
    message = re.sub(r"^(Unexpected variable) '(\$\w+)'", r'\1 "\2"', message)
    return re.sub(
        r"^(Invalid (?:Unicode|character) escape sequence:) '(.*)'\.$",
        r'\1 "\2".',
        message,
        flags=re.DOTALL,
    )


def utf16(text):
    return "".join(
        character
        if ord(character) < 0x10000
        else chr(0xD7C0 + (ord(character) >> 10)) + chr(0xDC00 + (ord(character) & 0x3FF))
        for character in text
    )


def unicode(text):
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class StringsToUTF16(Visitor):
    @staticmethod
    def enter_string_value(node: StringValueNode, *_):
        node.value = utf16(node.value)


def in_utf16(tree):
    visit(tree, StringsToUTF16())
    return tree


def document(source):
    printed = print_ast(in_utf16(parse(utf16(source))))
    try:
        assert print_ast(in_utf16(parse(printed))) == printed, source
    except GraphQLSyntaxError as failure:
        raise AssertionError(f"does not parse again: {printed!r}") from failure
    return {
        "source": source,
        "canonical": unicode(printed),
        "minified": unicode(strip_ignored_characters(printed)),
    }


def error(source, failure):
    location = failure.locations[0]
    return {
        "source": source,
        "message": unicode(javascript_message(failure.message)),
        "line": location.line,
        "column": location.column,
    }


def literal(source, parse_literal):
    tree = in_utf16(parse_literal(utf16(source)))
    result = {"source": source, "canonical": unicode(print_ast(tree))}
    if isinstance(tree, StringValueNode):
        result["value"] = unicode(tree.value)
        result["isBlock"] = bool(tree.block)
    return result


# MARK: what to ask


def mutants(source, rng, count):
    """The source with a token or a character less, more or other; or cut off."""
    lexer = Lexer(graphql.Source(source))
    ranges = []
    while lexer.advance().kind != TokenKind.EOF:
        ranges.append((lexer.token.start, lexer.token.end))
    pool = [source[start:end] for start, end in ranges]
    pool += list("{}()[]:=!$@|&'\"\\#.-0_?é\t") + ["...", '"""', "\n", "\\u00", "1.", "😀", "on"]
    for _ in range(count):
        start, end = rng.choice(ranges)
        what = rng.randrange(6)
        if what == 0:
            yield source[:start] + source[end:]
        elif what == 1:
            yield source[:start] + rng.choice(pool) + source[end:]
        elif what == 2:
            yield source[:start] + rng.choice(pool) + " " + source[start:]
        elif what == 3:
            yield source[: rng.randrange(len(source))]
        elif what == 4:
            place = rng.randrange(len(source))
            yield source[:place] + rng.choice(pool) + source[place:]
        else:
            place = rng.randrange(len(source))
            yield source[:place] + source[place + 1 :]


def sources():
    yield from EXECUTABLE + TYPE_SYSTEM
    rng = random.Random(2025)
    grammar = Grammar(rng)
    for _ in range(80):
        yield grammar.executable_document()
        yield grammar.type_system_document()


def main():
    documents, errors = {}, {}
    rng = random.Random(1021)
    for source in sources():
        documents[source] = document(source)
        for mutant in mutants(source, rng, 5 if len(source) < 400 else 2):
            try:
                if len(mutant) < 250:
                    documents[mutant] = document(mutant)
            except GraphQLSyntaxError as failure:
                if len(mutant) < 700:
                    errors[mutant] = error(mutant, failure)
    for source in ERRORS:
        try:
            parse(utf16(source))
        except GraphQLSyntaxError as failure:
            errors[source] = error(source, failure)
        else:
            raise AssertionError(f"parses: {source!r}")
    write("documents.json", documents.values())
    write("errors.json", errors.values())
    write("values.json", [literal(source, parse_value) for source in VALUES + strings(rng)])
    write("types.json", [literal(source, parse_type) for source in TYPES])


def strings(rng):
    grammar = Grammar(rng)
    return STRINGS + [grammar.string() for _ in range(80)] + [
        grammar.block_string() for _ in range(160)
    ]


def write(name, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    (HERE / name).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    print(name, len(cases))


if __name__ == "__main__":
    main()
