"""Servers for WebSockets: the library `websockets`, and one that misbehaves.

WebSocket servers, without and with TLS; both offer compression and accept any subprotocol.
  /SPACE/echo          sends each message back, with the type that it has
  /SPACE/fragments     sends each message back in fragments of 3 characters, with a ping after each
  /SPACE/close?N       closes with the code N and the reason `Bye`
  /SPACE/flood?N&SIZE  sends N messages of SIZE bytes, and then closes with 1000; the counter `sent` has
                       the number of sent messages, `stalled` is set when nothing could be sent for a while
  /SPACE/headers       sends the request's header fields as JSON
  /SPACE/silent        never reads, and never closes
The code with which the client closes is in the space's closing codes.

Raw server.
  /SPACE/upgrade/KIND  one handshake, and frames

Expectations: a number is the status of a refused handshake or the code of a closed WebSocket; otherwise
the code of a transport error. `a|b` is either of two.
"""

import asyncio
import base64
import hashlib
import json
import re

from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from broken import TABLES, abort, endless, hang, response
from state import space


async def fragments(connection, text):
    async def parts():
        for start in range(0, len(text), 3):
            yield text[start:start + 3]
            await connection.ping()

    await connection.send(parts())


async def flood(connection, here, count, size):
    loop = asyncio.get_running_loop()
    for _ in range(count):
        alarm = loop.call_later(0.5, here.mark, "stalled")
        await connection.send("x" * size)
        alarm.cancel()
        here.marks["sent"] += 1
    await connection.close(1000)


async def handle(connection):
    path, _, query = connection.request.path.partition("?")
    _, name, action = path.split("/", 2)
    here, numbers = space(name), [int(number) for number in query.split("&") if number]
    here.count(sockets=1, sockets_opened=1)
    try:
        if action == "close":
            await connection.close(numbers[0], "Bye")
        elif action == "flood":
            await flood(connection, here, *numbers)
        elif action == "headers":
            await connection.send(json.dumps(dict(connection.request.headers.raw_items())))
        elif action == "silent":
            connection.transport.pause_reading()
            await asyncio.Event().wait()
        async for message in connection:
            if action == "fragments":
                await fragments(connection, message)
            else:
                await connection.send(message)
    except ConnectionClosed:
        pass
    finally:
        here.closing_codes.append(connection.close_code)
        here.count(sockets=-1)
        here.touch()


def select(connection, offered):
    return offered[0] if offered else None


async def start(context):
    # On a busy machine a handshake can take longer than the usual ten seconds.
    return await serve(handle, "127.0.0.1", 0, ssl=context, max_size=1 << 26, ping_interval=None,
                       open_timeout=None, select_subprotocol=select)


# The server that misbehaves.
KINDS = TABLES["upgrade"] = {}


def kind(name, expected, *steps):
    KINDS[name] = (expected, steps)


def accept(head):
    key = re.search(rb"(?i)\r\nsec-websocket-key: ([^\r]*)", head)[1]
    return base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())


def upgrade(*fields, status=b"HTTP/1.1 101 Switching Protocols", right=True, cut=None, end=b"\r\n",
            connection=b"Upgrade", protocol=b"websocket"):
    async def write(reader, writer):
        lines = [status, b"Upgrade: " + protocol, b"Connection: " + connection,
                 b"Sec-WebSocket-Accept: " + (accept(reader.head) if right else b"x"), *fields]
        writer.write((b"\r\n".join(lines) + b"\r\n" + end)[:cut])
        await writer.drain()

    return write


kind("upgrade", "1000", upgrade(), b"\x88\x02\x03\xe8", hang)
kind("at-once", "1000", upgrade(end=b"\r\n\x88\x02\x03\xe8"), hang)
kind("after-hints", "1000", b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", upgrade(),
     b"\x88\x02\x03\xe8", hang)
kind("list", "1000", upgrade(connection=b"keep-alive, UPGRADE", protocol=b"WebSocket"),
     b"\x88\x02\x03\xe8", hang)
kind("no-code", "1005", upgrade(), b"\x88\x00", hang)
kind("wrong-accept", "badResponse", upgrade(right=False), hang)
kind("wrong-upgrade", "badResponse", upgrade(protocol=b"h2c"), hang)
kind("wrong-connection", "badResponse", upgrade(connection=b"close"), hang)
kind("extension", "badResponse", upgrade(b"Sec-WebSocket-Extensions: permessage-deflate"), hang)
kind("subprotocol", "badResponse", upgrade(b"Sec-WebSocket-Protocol: graphql-ws"), hang)
kind("version", "badResponse", upgrade(status=b"HTTP/2 101 x"), hang)
for status in (200, 204, 301, 307, 400, 401, 403, 404, 426, 429, 500, 503):
    kind(f"status-{status}", str(status), response(status, b"No", headers=["Location: /x"]))
for cut in (0, 1, 20, 33, 35, 60, 90, -2, -1):
    kind(f"cut-{cut}", "connectionLost", upgrade(cut=cut))
kind("cut-reset", "connectionLost", upgrade(cut=50), 0.005, abort)
kind("cut-open", "connectionLost", upgrade())
kind("cut-open-reset", "connectionLost", upgrade(), 0.005, abort)
kind("cut-frame", "connectionLost", upgrade(), b"\x81\x05ab")
kind("not-http", "badResponse", b"SSH-2.0-OpenSSH_9\r\n\r\n", hang)
kind("fields-endless", "badResponse", b"HTTP/1.1 101 x\r\n", endless(b"X-More: yes\r\n" * 100))
kind("field-endless", "badResponse", b"HTTP/1.1 101 x\r\nX: ", endless(b"x" * 10_000))
kind("hints-endless", "badResponse", endless(b"HTTP/1.1 103 x\r\nLink: <x>\r\n\r\n" * 100))
for name, code, frame in [
    ("reserved", 1002, b"\xc1\x00"), ("opcode", 1002, b"\x83\x00"), ("masked", 1002, b"\x81\x80abcd"),
    ("utf-8", 1007, b"\x81\x01\xff"), ("huge", 1009, b"\x81\x7f\x7f" + b"\xff" * 7),
    ("negative", 1002, b"\x81\x7f" + b"\xff" * 8), ("code", 1002, b"\x88\x02\x03\xed"),
    ("continuation", 1002, b"\x80\x00"), ("long-ping", 1002, b"\x89\x7e\x00\x80"),
]:
    kind(f"frame-{name}", str(code), upgrade(), frame, hang)
    kind(f"frame-{name}-endless", str(code), upgrade(), frame, endless(b"x" * 10_000, 0.001))
kind("pings-endless", "1000", upgrade(), b"\x89\x04ping" * 100_000 + b"\x88\x02\x03\xe8", hang)
kind("fragments-endless", "1009", upgrade(), b"\x01\x01x", endless(b"\x00\x7d" + b"x" * 125))
kind("empty-fragments", "1000", upgrade(), b"\x01\x00" + b"\x00\x00" * 100_000, b"\x80\x00\x88\x02\x03\xe8",
     hang)
