"""The GraphQL schema of the integration tests."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from typing import Annotated, Optional, Union

import strawberry
from graphql import GraphQLError
from strawberry.file_uploads import Upload
from strawberry.scalars import JSON
from strawberry.schema.config import StrawberryConfig
from strawberry.types import Info


def space(info: Info):
    return info.context["space"]


@strawberry.type
class Author:
    id: strawberry.ID
    name: str

    @strawberry.field
    def posts(self, info: Info) -> list["Post"]:
        return [make_post(info, key) for key, post in space(info).posts.items()
                if post["author"] == self.id]

    @strawberry.field
    async def bio(self, delay_ms: int = 0) -> str:
        await asyncio.sleep(delay_ms / 1000)
        return f"{self.name} writes."


@strawberry.type
class Post:
    id: strawberry.ID
    title: str
    body: str
    published: bool
    author: Author
    views: int

    @strawberry.field
    def broken(self) -> Optional[str]:
        raise GraphQLError(f"Post {self.id} is broken", extensions={"code": "BROKEN_FIELD"})

    @strawberry.field
    async def never(self, info: Info) -> str:
        await space(info).released.wait()
        return "released"

    @strawberry.field
    async def slow_body(self, delay_ms: int = 0) -> str:
        await asyncio.sleep(delay_ms / 1000)
        return self.body


@strawberry.type
class Todo:
    id: strawberry.ID
    text: str
    complete: bool
    due: str
    author: Author


@strawberry.type
class Item:
    id: strawberry.ID
    text: str
    number: int


@strawberry.type
class TodoEvent:
    kind: str
    todo: Todo


@strawberry.type
class PartialUpdate:
    post: Optional[Post]

    @strawberry.field
    def problem(self) -> Optional[str]:
        raise GraphQLError("The title was saved, the rest was not", extensions={"code": "PARTLY"})


@strawberry.type
class UploadedFile:
    filename: str
    content_type: Optional[str]
    size: int
    text: str
    sha256: str


@strawberry.input
class AttachInput:
    note: str
    file: Optional[Upload] = None
    extra: list[Upload] = strawberry.field(default_factory=list)


async def read_upload(file):
    digest, size, start = hashlib.sha256(), 0, b""
    while chunk := await file.read(1 << 20):
        digest.update(chunk)
        start = start or chunk[:100]
        size += len(chunk)
    await file.seek(0)
    return UploadedFile(filename=file.filename, content_type=file.content_type, size=size,
                        text=start.decode("utf-8", "replace"), sha256=digest.hexdigest())


SearchResult = Annotated[Union[Post, Author, Todo], strawberry.union("SearchResult")]


def make_author(info, key):
    return Author(id=key, name=space(info).authors[key]["name"])


def make_post(info, key):
    post = space(info).posts.get(key)
    if post is None:
        return None
    return Post(id=key, title=post["title"], body=post["body"], published=True,
                author=make_author(info, post["author"]), views=10)


def make_todo(info, key):
    todo = space(info).todos.get(key)
    if todo is None:
        return None
    return Todo(id=key, text=todo["text"], complete=todo["complete"],
                due="2026-01-01T09:00:00Z", author=make_author(info, todo["author"]))


def need(value, sentence):
    if value is None:
        raise GraphQLError(sentence, extensions={"code": "NOT_FOUND"})
    return value


@strawberry.type
class Query:
    @strawberry.field
    def hello(self, name: str = "world") -> str:
        return f"Hello, {name}!"

    @strawberry.field
    def requests(self, info: Info) -> int:
        """The number of requests of this space, which differs each time."""
        return space(info).total

    @strawberry.field
    def header(self, info: Info, name: str) -> Optional[str]:
        return info.context["request"].headers.get(name)

    @strawberry.field
    def method(self, info: Info) -> str:
        return info.context["request"].method

    @strawberry.field
    def echo(self, value: Optional[JSON] = None) -> Optional[JSON]:
        return value

    @strawberry.field
    def todos(self, info: Info, limit: Optional[int] = None) -> list[Todo]:
        return [make_todo(info, key) for key in list(space(info).todos)[:limit]]

    @strawberry.field
    def todo_at(self, info: Info, slot: int) -> Optional[Todo]:
        keys = list(space(info).todos)
        return make_todo(info, keys[slot]) if 0 <= slot < len(keys) else None

    @strawberry.field
    def no_todos(self) -> list[Todo]:
        return []

    @strawberry.field
    def todos_of(self, info: Info, author: strawberry.ID) -> list[Todo]:
        return [make_todo(info, key) for key, todo in space(info).todos.items()
                if todo["author"] == author]

    @strawberry.field
    def post(self, info: Info, id: strawberry.ID) -> Optional[Post]:
        return make_post(info, id)

    @strawberry.field
    def posts(self, info: Info, limit: Optional[int] = None) -> list[Post]:
        return [make_post(info, key) for key in list(space(info).posts)[:limit]]

    @strawberry.field
    def author(self, info: Info, id: strawberry.ID) -> Optional[Author]:
        return make_author(info, id) if id in space(info).authors else None

    @strawberry.field
    def search(self, info: Info, text: str) -> list[SearchResult]:
        here, text = space(info), text.lower()
        return (
            [make_post(info, key) for key, post in here.posts.items() if text in post["title"].lower()]
            + [make_author(info, key) for key, author in here.authors.items()
               if text in author["name"].lower()]
            + [make_todo(info, key) for key, todo in here.todos.items() if text in todo["text"].lower()]
        )

    @strawberry.field
    async def never(self, info: Info) -> str:
        await space(info).released.wait()
        return "released"

    @strawberry.field
    async def slow(self, ms: int) -> str:
        await asyncio.sleep(ms / 1000)
        return f"waited {ms} ms"

    @strawberry.field
    async def slow_post(self, info: Info, id: strawberry.ID, ms: int) -> Optional[Post]:
        """Returns, after a delay, the post as it was when the request arrived."""
        post = make_post(info, id)
        await asyncio.sleep(ms / 1000)
        return post

    @strawberry.field
    def boom(self, message: str = "boom") -> Optional[str]:
        raise GraphQLError(message, extensions={"code": "INTERNAL_SERVER_ERROR"})

    @strawberry.field
    def boom_non_null(self) -> str:
        raise GraphQLError("boom", extensions={"code": "INTERNAL_SERVER_ERROR"})

    @strawberry.field
    async def digest(self, file: Upload) -> str:
        return (await read_upload(file)).sha256

    @strawberry.field
    def items(self, n: int) -> list[Item]:
        return [Item(id=str(i), text=f"Item number {i}", number=i * 1000) for i in range(n)]

    @strawberry.field
    async def countdown(self, start: int, delay_ms: int = 0) -> strawberry.Streamable[int]:
        for number in range(start, 0, -1):
            yield number
            await asyncio.sleep(delay_ms / 1000)


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def update_post(self, info: Info, id: strawberry.ID, title: str, ms: int = 0,
                          hold: bool = False) -> Post:
        await asyncio.sleep(ms / 1000)
        if hold:
            await space(info).released.wait()
        post = need(space(info).posts.get(id), f"There is no post {id}")
        post["title"] = title
        return make_post(info, id)

    @strawberry.mutation
    def update_post_partly(self, info: Info, id: strawberry.ID, title: str) -> PartialUpdate:
        need(space(info).posts.get(id), f"There is no post {id}")["title"] = title
        return PartialUpdate(post=make_post(info, id))

    @strawberry.mutation
    def fail(self, message: str = "no") -> Post:
        raise GraphQLError(message, extensions={"code": "REFUSED"})

    @strawberry.mutation
    def update_todo(self, info: Info, id: strawberry.ID, text: Optional[str] = None,
                    complete: Optional[bool] = None) -> Todo:
        todo = need(space(info).todos.get(id), f"There is no todo {id}")
        todo["text"] = todo["text"] if text is None else text
        todo["complete"] = todo["complete"] if complete is None else complete
        changed = make_todo(info, id)
        space(info).publish(TodoEvent(kind="updated", todo=changed))
        return changed

    @strawberry.mutation
    def create_todo(self, info: Info, text: str, author: strawberry.ID = "a1") -> Todo:
        here = space(info)
        need(here.authors.get(author), f"There is no author {author}")
        key = str(here.next_todo)
        here.next_todo += 1
        here.todos[key] = {"text": text, "complete": False, "author": author}
        created = make_todo(info, key)
        here.publish(TodoEvent(kind="created", todo=created))
        return created

    @strawberry.mutation
    def delete_todo(self, info: Info, id: strawberry.ID) -> Todo:
        deleted = need(make_todo(info, id), f"There is no todo {id}")
        del space(info).todos[id]
        space(info).publish(TodoEvent(kind="deleted", todo=deleted))
        return deleted

    @strawberry.mutation
    async def upload(self, file: Upload) -> UploadedFile:
        return await read_upload(file)

    @strawberry.mutation
    async def attach(self, input: AttachInput) -> list[UploadedFile]:
        files = [] if input.file is None else [input.file]
        return [await read_upload(file) for file in files + input.extra]


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int, interval_ms: int = 0) -> AsyncGenerator[int, None]:
        for number in range(1, to + 1):
            await asyncio.sleep(interval_ms / 1000)
            yield number

    @strawberry.subscription
    async def endless(self, info: Info) -> AsyncGenerator[int, None]:
        yield 1
        await space(info).released.wait()
        yield 2

    @strawberry.subscription
    async def todo_events(self, info: Info) -> AsyncGenerator[TodoEvent, None]:
        here, queue = space(info), asyncio.Queue()
        here.subscribers.add(queue)
        here.touch()
        try:
            while True:
                yield await queue.get()
        finally:
            here.subscribers.discard(queue)
            here.count(unsubscribed=1)

    @strawberry.subscription
    async def fails_after(self, events: int) -> AsyncGenerator[int, None]:
        for number in range(events):
            yield number
        raise GraphQLError("The source failed", extensions={"code": "SOURCE"})


schema = strawberry.Schema(
    query=Query, mutation=Mutation, subscription=Subscription,
    types=[Post, Author, Todo],
    config=StrawberryConfig(enable_experimental_incremental_execution=True),
)
