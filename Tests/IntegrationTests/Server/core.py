"""A thin handler for graphql-core, and the schema that it shares with Ariadne.

It serves what the frameworks do not: all three forms of incremental delivery, event streams and
multipart subscriptions, and the status codes of "GraphQL over HTTP". Unlike theirs, its event streams
end lines with LF, begin with a comment, and split a payload into several `data` lines.
"""

import json
from urllib.parse import parse_qs

from graphql import (
    GraphQLDeferDirective, GraphQLError, GraphQLStreamDirective, OperationType, build_schema,
    experimental_execute_incrementally, get_operation_ast, parse, specified_directives, subscribe,
    validate,
)
from graphql.execution import ExperimentalIncrementalExecutionResults
from graphql.type import GraphQLSchema

SDL = """
type Query {
  hello(name: String! = "world"): String!
  post(id: ID!): Post
  countdown(start: Int!): [Int!]!
  boomNonNull: String!
  never: String!
}
type Post { id: ID!, title: String!, slowBody: String!, broken: String, never: String!, author: Author! }
type Author { id: ID!, name: String!, bio: String! }
type Mutation { updatePost(id: ID!, title: String!): Post! }
type Subscription {
  count(to: Int!): Int!
  endless: Int!
  failsAfter(events: Int!): Int!
}
"""


def make_post(here, key):
    post = here.posts.get(key)
    return post and {"id": key, "title": post["title"], "body": post["body"], "author": post["author"]}


async def countdown(_, info, start):
    for number in range(start, 0, -1):
        yield number


async def countdown_list(_, info, start):
    return list(range(start, 0, -1))


def boom(_, info):
    raise GraphQLError("boom", extensions={"code": "INTERNAL_SERVER_ERROR"})


def broken(post, info):
    raise GraphQLError(f"Post {post['id']} is broken", extensions={"code": "BROKEN_FIELD"})


async def slow_body(post, info):
    return post["body"]


async def never(_, info):
    await info.context["space"].released.wait()
    return "released"


def author(post, info):
    return {"id": post["author"], **info.context["space"].authors[post["author"]]}


async def bio(person, info):
    return f"{person['name']} writes."


def update_post(_, info, id, title):
    here = info.context["space"]
    here.posts[id]["title"] = title
    return make_post(here, id)


async def count(_, info, to):
    for number in range(1, to + 1):
        yield number


async def endless(_, info):
    yield 1
    await info.context["space"].released.wait()
    yield 2


async def fails_after(_, info, events):
    for number in range(events):
        yield number
    raise GraphQLError("The source failed", extensions={"code": "SOURCE"})


RESOLVERS = {
    "Query": {
        "hello": lambda _, info, name: f"Hello, {name}!",
        "post": lambda _, info, id: make_post(info.context["space"], id),
        "boomNonNull": boom,
        "never": never,
    },
    "Post": {"slowBody": slow_body, "broken": broken, "never": never, "author": author},
    "Author": {"bio": bio},
    "Mutation": {"updatePost": update_post},
}
SOURCES = {"count": count, "endless": endless, "failsAfter": fails_after}


def event(value, info, **_):
    return value


def make_schema():
    built = build_schema(SDL)
    for type_name, fields in RESOLVERS.items():
        for name, resolve in fields.items():
            built.type_map[type_name].fields[name].resolve = resolve
    built.query_type.fields["countdown"].resolve = countdown
    for name, source in SOURCES.items():
        built.subscription_type.fields[name].subscribe = source
        built.subscription_type.fields[name].resolve = event
    return GraphQLSchema(**{
        **built.to_kwargs(),
        "directives": [*specified_directives, GraphQLDeferDirective, GraphQLStreamDirective],
    })


SCHEMA = make_schema()
JSON, GRAPHQL = "application/json", "application/graphql-response+json"
EVENTS, PARTS = "text/event-stream", "multipart/mixed"


class OldForm:
    """Converts payloads with `pending` and `completed` into payloads with paths."""

    def __init__(self):
        self.pending, self.lengths = {}, {}

    def announce(self, payload, data):
        for entry in payload.get("pending", ()):
            self.pending[entry["id"]] = entry
            place = data
            for step in entry["path"]:
                place = place[step] if place else None
            self.lengths[entry["id"]] = len(place) if isinstance(place, list) else 0

    def initial(self, payload):
        self.announce(payload, payload["data"])
        return {key: value for key, value in payload.items() if key != "pending"}

    def entries(self, payload):
        self.announce(payload, None)
        for entry in payload.get("incremental", ()):
            announced = self.pending[entry["id"]]
            path = announced["path"] + entry.get("subPath", [])
            if "items" in entry:
                start = self.lengths[entry["id"]]
                self.lengths[entry["id"]] += len(entry["items"])
                path = [*path, start]
            rest = {key: value for key, value in entry.items() if key not in ("id", "subPath")}
            yield {**self.label(announced), "path": path, **rest}
        for entry in payload.get("completed", ()):
            announced = self.pending[entry["id"]]
            if "errors" in entry:
                yield {**self.label(announced), "path": announced["path"], "data": None,
                       "errors": entry["errors"]}

    @staticmethod
    def label(announced):
        return {"label": announced["label"]} if "label" in announced else {}


async def payloads(results, form):
    """Yields the payloads of incremental delivery in the form of 2023, 2022 or 2020."""
    first = results.initial_result.formatted
    old = OldForm()
    yield first if form == "2023" else old.initial(first)
    async for result in results.subsequent_results:
        payload = result.formatted
        if form == "2023":
            yield payload
            continue
        entries = list(old.entries(payload))
        if form == "2022":
            yield {"incremental": entries, "hasNext": payload["hasNext"]}
        else:
            for entry in entries:
                yield {**entry, "hasNext": True}
            if not payload["hasNext"]:
                yield {"hasNext": False}


async def events_of(source):
    """Yields the responses of a subscription; a source that fails ends with its error."""
    try:
        async for result in source:
            yield result.formatted
    except GraphQLError as error:
        yield {"errors": [error.formatted]}


async def one(payload):
    yield payload


def accepted(scope):
    fields = [value.decode() for name, value in scope["headers"] if name == b"accept"]
    types = [part.split(";") for part in ",".join(fields).split(",")]
    return [type[0].strip() for type in types] or [JSON]


class Thin:
    """An ASGI application."""

    def __init__(self, form="2023"):
        self.form = form

    async def __call__(self, scope, receive, send):
        self = Response(self.form, accepted(scope), send)
        request = json.loads((await receive())["body"])
        try:
            document = parse(request["query"])
            errors = validate(SCHEMA, document)
        except GraphQLError as error:
            errors = [error]
        if errors:
            return await self.single({"errors": [error.formatted for error in errors]}, 400)
        kind = get_operation_ast(document, request.get("operationName")).operation
        run = subscribe if kind == OperationType.SUBSCRIPTION else experimental_execute_incrementally
        result = run(
            SCHEMA, document, context_value={"space": scope["space"]},
            variable_values=request.get("variables"), operation_name=request.get("operationName"))
        if hasattr(result, "__await__"):
            result = await result
        if isinstance(result, ExperimentalIncrementalExecutionResults):
            await self.streamed(payloads(result, self.form))
        elif kind == OperationType.SUBSCRIPTION and hasattr(result, "__aiter__"):
            await self.streamed(events_of(result), is_subscription=True)
        elif self.accepts[0] == EVENTS:
            await self.streamed(one(result.formatted))
        else:
            await self.single(result.formatted, 200 if result.data is not None else 500)


class Response:
    def __init__(self, form, accepts, send):
        self.form, self.accepts, self.send = form, accepts, send

    async def head(self, status, media_type):
        await self.send({"type": "http.response.start", "status": status,
                         "headers": [(b"content-type", media_type.encode())]})

    async def write(self, text, more=True):
        await self.send({"type": "http.response.body", "body": text.encode(), "more_body": more})

    async def single(self, payload, status):
        """`application/json` always has status 200; the newer media type has the real status."""
        is_new = GRAPHQL in self.accepts
        await self.head(status if is_new else 200, GRAPHQL if is_new else JSON)
        await self.write(json.dumps(payload), more=False)

    async def streamed(self, payloads, is_subscription=False):
        if PARTS not in self.accepts and EVENTS not in self.accepts:
            await self.head(406, GRAPHQL)
            message = "The operation has several results; accept multipart/mixed or text/event-stream"
            return await self.write(json.dumps({"errors": [{"message": message}]}), more=False)
        if min((PARTS, EVENTS), key=(*self.accepts, PARTS, EVENTS).index) == EVENTS:
            await self.events(payloads)
        else:
            await self.parts(payloads, is_subscription)

    async def events(self, payloads):
        await self.head(200, EVENTS + "; charset=utf-8")
        await self.write(":\n\n")
        async for payload in payloads:
            lines = json.dumps(payload, indent=1).splitlines()
            await self.write("".join(["event: next\n", *(f"data: {line}\n" for line in lines), "\n"]))
        await self.write("event: complete\n\n", more=False)

    async def parts(self, payloads, is_subscription):
        """Sends each delimiter together with the part that it ends, because a client needs it to
        know that the part is complete."""
        if is_subscription:
            await self.head(200, 'multipart/mixed; boundary="graphql"; subscriptionSpec=1.0')
        else:
            await self.head(200, 'multipart/mixed; boundary="-"; deferSpec=20220824')
        boundary = "graphql" if is_subscription else "-"
        await self.write(f"\r\n--{boundary}")
        if is_subscription:
            await self.part(boundary, {})
        async for payload in payloads:
            if is_subscription:
                failed = "data" not in payload
                payload = {"payload": None, **payload} if failed else {"payload": payload}
            await self.part(boundary, payload)
        await self.write("--\r\n", more=False)

    async def part(self, boundary, payload):
        head = "\r\ncontent-type: application/json; charset=utf-8\r\n\r\n"
        await self.write(f"{head}{json.dumps(payload)}\r\n--{boundary}")


FORMS = {"core": Thin("2023"), "core-2022": Thin("2022"), "core-2020": Thin("2020")}
