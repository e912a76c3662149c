"""Makes one random change in a document."""
import copy

from graphql import parse, print_ast
from graphql.language import ast


def nodes(node, found):
    """All nodes below a node, with what is needed to replace or remove them."""
    for key in node.keys:
        value = getattr(node, key, None)
        if isinstance(value, ast.Node):
            found.append((node, key, None))
            nodes(value, found)
        elif isinstance(value, (list, tuple)):
            for position, element in enumerate(value):
                if isinstance(element, ast.Node):
                    found.append((node, key, position))
                    nodes(element, found)
    return found


WORDS = ["name", "nam", "dog", "Dog", "Cat", "Pet", "x", "a", "b", "Int", "String", "Boolean", "unknown",
         "if", "T", "deepBox", "scalar", "y", "CatOrDog", "Human", "A", "F", "id", "barks"]
VALUES = ["1", "1.5", '"text"', "true", "null", "SIT", "[1, \"a\"]", "{ a: 1 }", "$a", "[]", "{}"]


def mutated(source, chance, words=WORDS):
    """The text with one change, or None if it does not parse any more."""
    tree = copy.deepcopy(parse(source, no_location=True))
    places = nodes(tree, [])
    owner, key, position = chance.choice(places)
    value = getattr(owner, key)
    node = value if position is None else value[position]
    try:
        if isinstance(node, ast.NameNode):
            put(node, "value", chance.choice(words))
        elif isinstance(node, ast.ValueNode):
            new = parse(f"{{ f(a: {chance.choice(VALUES)}) }}", no_location=True)
            new = new.definitions[0].selection_set.selections[0].arguments[0].value
            replace(owner, key, position, new)
        elif isinstance(node, ast.TypeNode):
            new = chance.choice([
                ast.ListTypeNode(type=node), ast.NamedTypeNode(name=ast.NameNode(value=chance.choice(words))),
                getattr(node, "type", None) or ast.NonNullTypeNode(type=node)])
            replace(owner, key, position, new)
        elif position is not None:
            elements = list(value)
            change = chance.randrange(3)
            if change == 0:
                del elements[position]
            elif change == 1:
                elements.insert(position, copy.deepcopy(node))
            else:
                other = [n for o, k, p in places for n in [getattr(o, k)[p] if p is not None else None]
                         if isinstance(n, type(node))]
                elements[position] = copy.deepcopy(chance.choice(other))
            put(owner, key, elements)
        else:
            put(owner, key, None)
        result = print_ast(tree)
        # graphql-core parses an empty selection set; the specification and Weir do not.
        if any(isinstance(getattr(o, k), ast.SelectionSetNode) and not getattr(o, k).selections
               for o, k, _ in nodes(parse(result), [])):
            return None
        return " ".join(result.split())
    except Exception:
        return None


# The nodes of graphql-core are frozen; these are copies.
put = object.__setattr__


def replace(owner, key, position, node):
    if position is None:
        put(owner, key, node)
    else:
        elements = list(getattr(owner, key))
        elements[position] = node
        put(owner, key, elements)
