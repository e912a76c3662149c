"""The state of a server: one space per test, so that tests can run concurrently."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Space:
    """The data and counters of one test, created on first use."""

    total: int = 0
    operations: Counter = field(default_factory=Counter)
    closed_early: Counter = field(default_factory=Counter)
    marks: Counter = field(default_factory=Counter)
    token: int = 1
    in_flight: int = 0
    connections: int = 0
    cut: int = 0
    chunked: int = 0
    authors: dict = field(default_factory=dict)
    posts: dict = field(default_factory=dict)
    todos: dict = field(default_factory=dict)
    next_todo: int = 11
    subscribers: set = field(default_factory=set)
    unsubscribed: int = 0
    sockets: int = 0
    sockets_opened: int = 0
    closing_codes: list = field(default_factory=list)
    documents: dict = field(default_factory=dict)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    released: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self):
        names = ["Ada Lovelace", "Grace Hopper", "Alan Turing"]
        self.authors = {f"a{i + 1}": {"name": name} for i, name in enumerate(names)}
        self.posts = {
            f"p{i}": {"title": f"Post {i}", "body": f"Body of post {i}.", "author": f"a{i % 3 + 1}"}
            for i in range(1, 6)
        }
        self.todos = {
            str(i): {"text": f"Todo item number {i}", "complete": i % 3 == 0, "author": f"a{i % 3 + 1}"}
            for i in range(1, 11)
        }

    def count(self, **deltas):
        for name, delta in deltas.items():
            setattr(self, name, getattr(self, name) + delta)
        self.touch()

    def mark(self, name):
        """Increments a counter that only some tests use."""
        self.marks[name] += 1
        self.touch()

    def touch(self):
        """Wakes everything that waits for a counter."""
        event, self.changed = self.changed, asyncio.Event()
        event.set()

    def stats(self):
        return {
            "total": self.total,
            "operations": dict(self.operations),
            "closedEarly": sum(self.closed_early.values()),
            "closedEarlyByOperation": dict(self.closed_early),
            "inFlight": self.in_flight,
            "connections": self.connections,
            "cut": self.cut,
            "chunked": self.chunked,
            "subscribers": len(self.subscribers),
            "unsubscribed": self.unsubscribed,
            "sockets": self.sockets,
            "socketsOpened": self.sockets_opened,
            "socketsClosed": len(self.closing_codes),
            "closingCodes": self.closing_codes,
            "marks": dict(self.marks),
        }

    async def wait(self, counter, at_least, seconds=600):
        async def reached():
            while self.stats().get(counter, self.marks[counter]) < at_least:
                await self.changed.wait()

        await asyncio.wait_for(reached(), seconds)

    def publish(self, event):
        for queue in self.subscribers:
            queue.put_nowait(event)


SPACES = {}


def space(name):
    if name not in SPACES:
        SPACES[name] = Space()
    return SPACES[name]


def reset(name):
    old = SPACES.pop(name, None)
    fresh = space(name)
    if old is not None:
        old.touch()
    return fresh
