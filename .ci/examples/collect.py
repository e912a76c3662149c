"""Makes a Swift file of the examples in the documentation: a function for each.

An example that begins with `@Observable` stays outside of functions, because local types cannot have
such a macro. The other examples see its type.

collect.py FILE.md ...
"""
import re
import sys

IN_SCOPE = {
    "configuration": "NormalizedCacheConfiguration()",
    "operation": 'GraphQLOperation("{ posts { id title } }")',
    "socket": "try WebSocketTransport(url: url)",
    "card": 'try GraphQLFragment("fragment Card on Author { id name }")',
}
PARAMETERS = "forward: Forward"

print("import Foundation\nimport Observation\nimport Synchronization\nimport Testing\nimport Weir\nimport WeirNormalized")
print("import GraphQLLanguage\nimport GraphQLValidation")
print("import WeirCurl\nimport WeirSQLite\nimport WeirTesting")
for module in ("Network", "SwiftUI", "UIKit"):
    print(f"#if canImport({module})\nimport {module}\n#endif")
count = 0
for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    for match in re.finditer(r"^```swift\n(.*?)^```", text, re.M | re.S):
        code = re.sub(r"^import \w+\n", "", match[1], flags=re.M)
        count += 1
        line = text.count("\n", 0, match.start()) + 2
        if code.startswith("@Observable"):
            print(f'#sourceLocation(file: "{path}", line: {line})\n{code}#sourceLocation()')
            continue
        print(f"func example{count}({PARAMETERS}) async throws {{")
        for name, value in IN_SCOPE.items():
            if not re.search(rf"^(let|var) {name}\b", code, re.M):
                keyword = "var" if name == "configuration" else "let"
                print(f"  {keyword} {name} = {value}")
        print(f'#sourceLocation(file: "{path}", line: {line})')
        print(code, end="")
        print("#sourceLocation()\n}")
