"""Random documents from the grammar of the specification of September 2025."""

DIRECTIVE_LOCATIONS = """QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD
INLINE_FRAGMENT VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION
INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION""".split()
NAMES = """a b id _ __typename x1 on type query fragment input user createdAt totalCount true null
repeatable implements extend schema averageMonthlyProfitabilityForecast viewerCanAdminister
_leadingUnderscore ALL_CAPITALS mutation subscription enum union scalar interface directive""".split()
TEXTS = [
    "", " ", "plain", "with \\\" quote", "tab\\tnew\\nline", "\\u00e9\\u20AC", "\\u{1F600}", "é€😀",
    "\\uD83D\\uDE00", "\\\\", "\\/", "\\b\\f\\r", "a , # { not a token", "\x7f\x85\u2028",
    "\\u0000\\u001F\\u007f\\u0080\\u009F\\u00A0", "longer text that helps a line over the edge",
    "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
]
BLOCK_LINES = [
    "", "", " ", "\t", "one", "  two", "    four", "\tthree", 'a "quoted" word', 'ends with "',
    "ends with \\", '\\"""', 'x \\""" y', "# no comment", "é😀", "trailing  ", '""', "\\n stays",
    "a rather long line of text, which makes that block string longer than seventy units",
]
NUMBERS = ["0", "-0", "7", "42", "-17", "123456789012345678901234567890"]
FLOATS = ["0.0", "-1.5", "1e10", "1E-10", "6.02e+23", "0e0", "-0.0E+00"]
SPACE = [" ", " ", " ", " ", "\n", "\n  ", "\t", ", ", ",", "  ", "\r\n", "\r", " # comment\n", "\ufeff"]


class Grammar:
    def __init__(self, rng):
        self.rng = rng

    # MARK: chance

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def one(self, items):
        return self.rng.choice(items)

    def several(self, make, low, high):
        return [make() for _ in range(self.rng.randint(low, high))]

    def optional(self, percent, make):
        return make() if self.chance(percent) else ""

    def join(self, *parts):
        return "".join(part + self.one(SPACE) for part in parts if part)

    # MARK: lexical

    def name(self, *excluded):
        return self.one([name for name in NAMES if name not in excluded])

    def string(self):
        return '"' + "".join(self.several(lambda: self.one(TEXTS), 0, 3)) + '"'

    def block_string(self):
        newline = self.one(["\n", "\n", "\n", "\r\n", "\r"])
        indentation = self.one(["", "", "  ", "    ", "\t"])
        lines = self.several(lambda: indentation + self.one(BLOCK_LINES), 0, 5)
        text = newline.join(lines)
        # The closing quotes must neither be escaped nor be joined by others.
        return '"""' + self.one(["", newline, " "]) + text + newline + self.one(["", "  "]) + '"""'

    def description(self):
        return self.one([self.string, self.block_string])() if self.chance(30) else ""

    # MARK: values and types

    def value(self, constant, depth=0):
        makers = [
            lambda: self.one(NUMBERS), lambda: self.one(FLOATS), self.string, self.name,
            lambda: self.one(["true", "false", "null"]),
        ]
        if self.chance(8):
            makers = [self.block_string]
        if not constant:
            makers += [lambda: "$" + self.name()] * 2
        if depth < 3:
            makers += [lambda: self.list(constant, depth), lambda: self.object(constant, depth)]
        return self.one(makers)()

    def list(self, constant, depth):
        values = self.several(lambda: self.value(constant, depth + 1), 0, 4)
        return self.join("[", *values) + "]"

    def object(self, constant, depth):
        fields = self.several(
            lambda: self.join(self.name(), ":") + self.value(constant, depth + 1), 0, 3)
        return self.join("{", *fields) + "}"

    def type(self):
        text = self.name()
        for _ in range(self.one([0, 0, 0, 1, 1, 2, 3])):
            text = self.join("[", text, self.optional(50, lambda: "!")) + "]"
        return text + self.optional(40, lambda: "!")

    # MARK: executable

    def arguments(self, constant, percent=35):
        if not self.chance(percent):
            return ""
        return self.join("(", *self.several(
            lambda: self.join(self.name(), ":") + self.value(constant), 1, 4)) + ")"

    def directives(self, constant=False, percent=20):
        if not self.chance(percent):
            return ""
        return self.join(*self.several(
            lambda: "@" + self.name() + self.arguments(constant), 1, 2))

    def selection_set(self, depth=0):
        count = 2 if depth > 2 else 4
        return self.join("{", *self.several(lambda: self.selection(depth), 1, count)) + "}"

    def selection(self, depth):
        kind = self.rng.randrange(10)
        if kind == 0:
            return self.join("...", self.name("on"), self.directives())
        if kind == 1 and depth < 4:
            condition = self.optional(70, lambda: "on " + self.name())
            return self.join("...", condition, self.directives()) + self.selection_set(depth + 1)
        alias = self.optional(20, lambda: self.join(self.name(), ":"))
        nested = self.selection_set(depth + 1) if depth < 4 and self.chance(35) else ""
        return self.join(alias, self.name(), self.arguments(False), self.directives(), nested)

    def variables(self):
        if not self.chance(50):
            return ""
        return self.join("(", *self.several(self.variable, 1, 3)) + ")"

    def variable(self):
        default = self.optional(40, lambda: "= " + self.value(True))
        return self.join(
            self.description() if self.chance(20) else "", "$" + self.name(), ":", self.type(),
            default, self.directives(True))

    def operation(self):
        if self.chance(15):
            return self.selection_set()
        kind = self.one(["query", "query", "mutation", "subscription"])
        return self.join(
            self.description(), kind, self.optional(80, self.name), self.variables(),
            self.directives(), self.selection_set())

    def fragment(self):
        return self.join(
            self.description(), "fragment", self.name("on"), "on", self.name(), self.directives(),
            self.selection_set())

    def executable_document(self):
        return self.join(
            self.optional(20, lambda: "\n# leading\n"),
            *self.several(lambda: self.one([self.operation, self.fragment])(), 1, 3))

    # MARK: type system

    def block(self, make, percent=85):
        return self.join("{", *self.several(make, 1, 4)) + "}" if self.chance(percent) else ""

    def input_value(self):
        return self.join(
            self.description(), self.name(), ":", self.type(),
            self.optional(30, lambda: "= " + self.value(True)), self.directives(True))

    def argument_definitions(self):
        return self.join("(", *self.several(self.input_value, 1, 3)) + ")" if self.chance(30) else ""

    def field_definition(self):
        return self.join(
            self.description(), self.name(), self.argument_definitions(), ":", self.type(),
            self.directives(True))

    def enum_value(self):
        return self.join(
            self.description(), self.name("true", "false", "null"), self.directives(True))

    def delimited(self, before, delimiter, make, percent):
        if not self.chance(percent):
            return ""
        leading = self.optional(30, lambda: delimiter)
        return self.join(before, leading) + f" {delimiter} ".join(self.several(make, 1, 4))

    def interfaces(self):
        return self.delimited("implements", "&", self.name, 40)

    def root_type(self):
        return self.join(self.one(["query", "mutation", "subscription"]), ":", self.name())

    def definition(self, keyword, directives, block_percent):
        parts = {
            "schema": lambda: [directives, self.block(self.root_type, block_percent)],
            "scalar": lambda: [self.name(), directives],
            "type": lambda: [
                self.name(), self.interfaces(), directives,
                self.block(self.field_definition, block_percent)],
            "interface": lambda: [
                self.name(), self.interfaces(), directives,
                self.block(self.field_definition, block_percent)],
            "union": lambda: [
                self.name(), directives, self.delimited("=", "|", self.name, block_percent)],
            "enum": lambda: [self.name(), directives, self.block(self.enum_value, block_percent)],
            "input": lambda: [self.name(), directives, self.block(self.input_value, block_percent)],
        }
        return [keyword] + parts[keyword]()

    def directive_definition(self):
        locations = self.delimited("on", "|", lambda: self.one(DIRECTIVE_LOCATIONS), 100)
        return self.join(
            self.description(), "directive", "@" + self.name(), self.argument_definitions(),
            self.optional(30, lambda: "repeatable"), locations)

    def type_system_definition(self):
        if self.chance(12):
            return self.directive_definition()
        keyword = self.one(["schema", "scalar", "type", "interface", "union", "enum", "input"])
        percent = 100 if keyword == "schema" else 85
        return self.join(
            self.description(), *self.definition(keyword, self.directives(True), percent))

    def type_system_extension(self):
        keyword = self.one(["schema", "scalar", "type", "interface", "union", "enum", "input"])
        directives = self.directives(True, 100 if keyword == "scalar" else 30)
        percent = 60 if directives else 100
        return self.join("extend", *self.definition(keyword, directives, percent))

    def type_system_document(self):
        return self.join(*self.several(
            lambda: self.one([self.type_system_definition] * 3 + [self.type_system_extension])(),
            1, 4))
