"""Options that any view takes in its URL's query, and two more servers.

  ?cut=2,0           ends the connection of an operation's first request after two payloads, of its second
                     request before the first payload, and leaves later requests alone
  &of=NAME           only for this operation
  &abruptly          resets the connection instead of closing it
  /SPACE/guarded     /SPACE/graphql for requests with the space's token
  ?gather=20           rejects other requests only when 20 of them have arrived
  /SPACE/token       renews and returns the token
  /SPACE/flood       an event stream: ?events=N events of ?size=S bytes; the counter `sent` has the number
                     of sent events, `stalled` is set when nothing could be sent for a while
  /SPACE/bomb        an endless compressed body of zeros, a thousandth of their size; the counter `sent` has
                     the number of sent parts of 64 KiB, `refused` that of connections that the client closed
"""

import asyncio
import json
import socket
import struct
import zlib


class Cut(Exception):
    """The connection was cut."""


class Cutter:
    """Cuts a connection after a number of payloads."""

    def __init__(self, query, name, request_number, send):
        is_meant = "cut" in query and query.get("of", [name]) == [name]
        limits = query["cut"][0].split(",") if is_meant else []
        self.left = int(limits[request_number - 1]) if request_number <= len(limits) else None
        self.has_cut = False
        self.abruptly, self.transport = "abruptly" in query, send.__self__.transport

    def note(self, message):
        """Called before each message is sent."""
        if self.left is not None and b'{"' in message.get("body", b"").replace(b"{\ndata:  ", b"{"):
            if self.left == 0:
                self.end()
            self.left -= 1

    def end(self):
        if self.abruptly:
            option = struct.pack("ii", 1, 0)
            self.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, option)
        self.has_cut = True
        self.transport.abort()
        raise Cut


async def admit(here, scope, query):
    """Whether a request has the token; one without it waits for the others without it."""
    token = dict(scope["headers"]).get(b"authorization", b"").decode()
    if token == f"Bearer {here.token}":
        return True
    here.mark("refused")
    if "gather" in query:
        await here.wait("refused", int(query["gather"][0]))
    return False


def renew(here):
    here.token += 1
    here.mark("renewed")
    return {"token": str(here.token)}


async def flood(here, query, send):
    count, size = int(query["events"][0]), int(query["size"][0])
    flow, loop = send.__self__.flow, asyncio.get_running_loop()
    await send({"type": "http.response.start", "status": 200,
                "headers": [(b"content-type", b"text/event-stream")]})
    for first in range(0, count, 10):
        texts = [json.dumps({"data": {"number": number, "text": "x" * size}})
                 for number in range(first, min(first + 10, count))]
        # Sending takes this long only if the client does not read.
        alarm = loop.call_later(0.5, here.mark, "stalled") if flow.write_paused else None
        await send({"type": "http.response.body", "more_body": True,
                    "body": "".join(f"event: next\ndata: {text}\n\n" for text in texts).encode()})
        if alarm:
            alarm.cancel()
        here.marks["sent"] += len(texts)
    here.touch()
    await send({"type": "http.response.body", "body": b"event: complete\ndata:\n\n"})


def zeros():
    """Returns the beginning of a gzip body, and a part of 64 KiB that can follow any number of times."""
    compressor = zlib.compressobj(wbits=31)
    head = compressor.compress(bytes(1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    part = compressor.compress(bytes(1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return head, part * (65_536 // len(part))


async def bomb(here, send):
    flow, loop = send.__self__.flow, asyncio.get_running_loop()
    head, part = zeros()
    await send({"type": "http.response.start", "status": 200,
                "headers": [(b"content-type", b"application/json"), (b"content-encoding", b"gzip")]})
    await send({"type": "http.response.body", "body": head, "more_body": True})
    while not send.__self__.disconnected:
        alarm = loop.call_later(0.5, here.mark, "stalled") if flow.write_paused else None
        await send({"type": "http.response.body", "body": part, "more_body": True})
        if alarm:
            alarm.cancel()
        here.marks["sent"] += 1
        await asyncio.sleep(0)
    here.mark("refused")
