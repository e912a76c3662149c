"""A raw HTTP server that misbehaves in every known way.

  /SPACE/broken/KIND   one broken response; `KINDS` has the outcome that a client should report
  https://…            a TLS handshake that the server breaks off
  /SPACE/stale         closes a connection on its second request, without a response
  /SPACE/keep/SECONDS  answers each request of a connection, and says how long it may be idle
  /SPACE/client        over TLS: whether the client has a certificate, as 200 or 403
  /SPACE/other/KIND    a response that only one test asks for; `OTHERS`
  /SPACE/kinds/broken  the names and expectations of all kinds, as JSON; hostile, proxy,
                       upgrade, http2
  /SPACE/hostile/KIND  see `hostile.py`, which also has the answers to CONNECT
  /SPACE/upgrade/KIND  see `sockets.py`

Expectations: `data` a result, `errors` a GraphQL error result, `http` a status error, `malformed` a
success without a GraphQL body, `any` some error or result (libraries differ), otherwise the code of a
transport error; `a|b` either of two.
"""

import asyncio
import base64
import gzip
import json
import socket
import struct
import zlib

from state import space

DATA = b'{"data":{"hello":"Hello, world!"}}'
ERRORS = b'{"errors":[{"message":"Refused","extensions":{"code":"REFUSED"}}]}'
JSON, GRAPHQL = "application/json", "application/graphql-response+json"
HTML, TEXT = "text/html; charset=utf-8", "text/plain"

KINDS, OTHERS = {}, {}
# The kinds by the first part of their path; other modules add theirs.
TABLES = {"broken": KINDS, "other": OTHERS}


def kind(name, expected, *steps):
    """Steps: bytes to write, a number of seconds to wait, or a function of (reader, writer)."""
    KINDS[name] = (expected, steps)


def response(status=200, body=DATA, media_type=JSON, headers=(), length=None):
    lines = [f"HTTP/1.1 {status} Whatever".encode(), b"Connection: close"]
    if media_type is not None:
        lines.append(b"Content-Type: " + media_type.encode())
    length = len(body) if length is None else length
    if length != "none":
        lines.append(b"Content-Length: " + str(length).encode())
    lines += [line if isinstance(line, bytes) else line.encode() for line in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunked(*chunks, end=b"0\r\n\r\n"):
    head = response(body=b"", length="none", headers=["Transfer-Encoding: chunked"])
    return head + b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + end


async def hang(reader, writer):
    """Waits until the client disconnects, which `serve` counts."""
    await reader.read()
    raise ConnectionAbortedError


async def read_slowly(reader, writer):
    """Reads the body of the request, 2 MB each tenth of a second."""
    left = reader.length
    while left > 0:
        await asyncio.sleep(0.1)
        left -= len(await reader.readexactly(min(left, 2 << 20)))


async def never(reader, writer):
    """Neither reads nor ends."""
    await asyncio.Event().wait()


async def abort(reader, writer):
    """Resets the connection instead of closing it."""
    await writer.drain()
    option = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)
    writer.transport.abort()


def endless(chunk, pause=0.0):
    async def write(reader, writer):
        while not writer.is_closing():
            writer.write(chunk)
            await writer.drain()
            await asyncio.sleep(pause)
        raise ConnectionResetError

    return write


def drip(body, pause):
    async def write(reader, writer):
        for byte in body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(pause)

    return write


# A GraphQL body is a GraphQL result, whatever the status.
for status in (200, 201, 202, 203, 206, 300, 400, 401, 404, 422, 500, 503):
    kind(f"data-{status}", "data", response(status))
for status in (200, 400, 401, 403, 404, 405, 406, 409, 413, 415, 418, 422, 429, 500, 502, 503, 504):
    kind(f"errors-{status}", "errors", response(status, ERRORS, GRAPHQL))
for name, media_type in [
    ("none", None), ("text", TEXT), ("html", HTML), ("charset", JSON + "; charset=UTF-8"),
    ("upper", "APPLICATION/JSON"), ("garbage", ";;;/,"), ("octets", "application/octet-stream"),
]:
    kind(f"type-{name}", "data", response(media_type=media_type))

# Without one, the status is the error.
for status in (400, 401, 403, 404, 413, 429, 500, 502, 503, 504, 599):
    kind(f"html-{status}", "http", response(status, b"<html><h1>No</h1></html>", HTML))
for status in (400, 401, 500, 503):
    kind(f"empty-{status}", "http", response(status, b"", None))
for status in (401, 404, 500):
    kind(f"json-{status}", "http", response(status, b'{"message":"No"}'))
for scheme in ("Basic realm=x", "Digest realm=x, nonce=y", "Bearer", "Negotiate", "", "?"):
    kind(f"challenge-{scheme.split(' ')[0].replace('?', 'mark') or 'empty'}", "http",
         response(401, b"No", TEXT, ["WWW-Authenticate: " + scheme]))
kind("challenge-errors", "errors",
     response(401, ERRORS, GRAPHQL, ["WWW-Authenticate: Basic realm=x"]))
kind("challenge-proxy", "any", response(407, b"No", TEXT, ["Proxy-Authenticate: Basic realm=x"]))
kind("truncated-500", "http", response(500, ERRORS[:20]))

# A success without a GraphQL body.
for status in (200, 202):
    kind(f"no-body-{status}", "malformed", response(status, b""))
kind("no-content", "malformed", response(204, b"", None, length="none"))
kind("reset-content", "malformed", response(205, b"", None))
# The length is that of a body which is not sent.
kind("not-modified", "http", response(304, b"", JSON, length=1_000_000))
kind("head-of-large", "any", response(200, b"", JSON, length=1_000_000))
for name, body in {
    "array": b"[]", "string": b'"data"', "number": b"1", "true": b"true", "null": b"null",
    "empty-object": b"{}", "other-object": b'{"message":"ok"}', "data-array": b'{"data":[]}',
    "data-number": b'{"data":1}', "data-string": b'{"data":"x"}', "data-true": b'{"data":true}',
    "errors-object": b'{"errors":{}}', "errors-string": b'{"errors":"No"}',
    "errors-empty": b'{"errors":[]}', "errors-null": b'{"errors":null}',
    "data-and-errors-object": b'{"data":{"hello":"x"},"errors":{}}', "data-null": b'{"data":null}',
    "batch": b"[" + DATA + b"]",
}.items():
    kind(f"shape-{name}", "malformed", response(body=body))
kind("shape-no-errors", "data", response(body=b'{"errors":[],"data":{"hello":"x"}}'))
kind("shape-null-errors", "data", response(body=b'{"errors":null,"data":{"hello":"x"}}'))
kind("shape-more", "data", response(body=b'{"x":[1],"data":{"hello":"x"},"extensions":{"y":1}}'))
kind("shape-partial", "errors",
     response(body=b'{"data":{"hello":null},"errors":[{"message":"x","path":["hello",0]}]}'))
for name, error in {
    "no-message": b"{}", "null": b"null", "string": b'"No"', "number": b"1",
    "odd-message": b'{"message":7}', "odd-path": b'{"message":"x","path":{"a":1}}',
    "odd-locations": b'{"message":"x","locations":[{"line":-1},7]}',
    "odd-extensions": b'{"message":"x","extensions":[]}',
}.items():
    kind(f"error-{name}", "errors", response(body=b'{"errors":[' + error + b"]}"))

# Not JSON.
for name, body in {
    "html": b"<!doctype html><p>Hello", "truncated": DATA[:-3], "comma": b'{"data":{"hello":"x",}}',
    "garbage-after": DATA + b"x", "twice": DATA + DATA, "nan": b'{"data":{"hello":NaN}}',
    "single-quotes": b"{'data':{}}", "comment": b'/* */{"data":{}}', "xssi": b")]}',\n" + DATA,
    "spaces": b" \n\t ", "nul": DATA + b"\0", "deep": b'{"data":{"x":' + b"[" * 100_000,
    "invalid-utf8": b'{"data":{"hello":"\xff\xfe"}}', "overlong": b'{"data":{"hello":"\xc0\xaf"}}',
    "surrogate-bytes": b'{"data":{"hello":"\xed\xa0\x80"}}', "control": b'{"data":{"hello":"\x01"}}',
    "utf16": DATA.decode().encode("utf-16"), "event-stream": b"data: {}\n\n",
}.items():
    kind(f"json-{name}", "malformed", response(body=body))
kind("json-bom", "data|malformed", response(body=b"\xef\xbb\xbf" + DATA))
kind("json-half-surrogate", "data", response(body=b'{"data":{"hello":"\\ud800"}}'))
kind("json-huge-number", "data|malformed", response(body=b'{"data":{"hello":1e999999}}'))
kind("json-white-space", "data", response(body=b" \r\n" + DATA + b"\n\n"))

# The length differs from the header.
kind("length-too-large", "connectionLost", response(length=1000))
kind("length-too-large-hang", "timedOut", response(length=1000), hang)
kind("length-too-small", "malformed", response(length=10))
kind("length-none", "data", response(length="none"))
for name, length in {"negative": -1, "word": "many", "huge": 10**30, "two": "5, 6", "empty": ""}.items():
    kind(f"length-{name}", "any", response(length=length))
kind("chunk", "data", chunked(DATA[:10], DATA[10:]))
kind("chunk-trailer", "data", chunked(DATA, end=b"0\r\nX-After: yes\r\n\r\n"))
kind("chunk-extension", "data", chunked(end=b"%x;a=b\r\n" % len(DATA) + DATA + b"\r\n0\r\n\r\n"))
kind("chunk-no-end", "connectionLost", chunked(DATA, end=b""))
kind("chunk-no-end-hang", "timedOut", chunked(DATA, end=b""), hang)
kind("chunk-cut", "connectionLost", chunked(end=b"ff\r\n" + DATA))
kind("chunk-size-garbage", "badResponse|connectionLost", chunked(DATA, end=b"zz\r\n\r\n"))
kind("chunk-size-negative", "badResponse|connectionLost", chunked(end=b"-5\r\n" + DATA))
kind("chunk-size-huge", "badResponse|connectionLost", chunked(end=b"f" * 40 + b"\r\n" + DATA))
kind("chunk-no-line-break", "any", chunked(end=b"5\r\n" + DATA + b"0\r\n\r\n"))
kind("chunk-and-length", "data|malformed|connectionLost|badResponse",
     response(body=b"", length=3, headers=["Transfer-Encoding: chunked"])
     + b"%x\r\n" % len(DATA) + DATA + b"\r\n0\r\n\r\n")

# Slow and silent responses, closed connections.
kind("hang", "timedOut", hang)
kind("hang-in-status", "timedOut", b"HTTP/1.1 2", hang)
kind("hang-in-head", "timedOut", b"HTTP/1.1 200 OK\r\nContent-Ty", hang)
kind("hang-after-head", "timedOut", response(body=b"", length=5), hang)
kind("drip", "data", drip(response(), 0.001))
kind("drip-for-ever", "timedOut", response(body=b"", length="none"), endless(b" ", 0.05))
kind("drip-head-for-ever", "timedOut|badResponse|other", b"HTTP/1.1 200 OK\r\n",
     endless(b"X-More: yes\r\n", 0.02))
kind("close", "connectionLost")
kind("close-in-status", "connectionLost|badResponse|other", b"HTTP/1.1 2")
kind("close-in-head", "any", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-")
kind("close-in-head-early", "any", b"HTTP/1.1 200 OK\r\nX-")
kind("close-after-head", "connectionLost", response(body=b"", length=5))
kind("abort", "connectionLost|other", abort)
kind("abort-in-body", "connectionLost", response(body=DATA[:9], length=34), 0.05, abort)

# Large.
kind("huge-length", "tooLarge", response(body=b" ", length=10**10), hang)
kind("huge-endless", "tooLarge", response(body=b"", length="none"), endless(b" " * 65536, 0.001))
kind("huge-chunks", "tooLarge", chunked(end=b""), endless(b"4000\r\n" + b" " * 0x4000 + b"\r\n", 0.001))
kind("huge-bomb", "tooLarge",
     response(body=gzip.compress(b" " * 50_000_000), headers=["Content-Encoding: gzip"]))
kind("huge-field", "data|badResponse|other|connectionLost",
     response(headers=["X-Large: " + "x" * 90_000]))
kind("huge-head", "badResponse|other|connectionLost|data",
     response(headers=[f"X-{i}: {'x' * 1000}" for i in range(400)]))
kind("many-fields", "data", response(headers=[f"X-{i}: {i}" for i in range(200)]))

# Compressed.
kind("gzip", "data", response(body=gzip.compress(DATA), headers=["Content-Encoding: gzip"]))
kind("deflate", "data", response(body=zlib.compress(DATA), headers=["Content-Encoding: deflate"]))
kind("gzip-cut", "any", response(body=gzip.compress(DATA)[:-12], headers=["Content-Encoding: gzip"]))
for name, body in {"not": DATA, "trailing": gzip.compress(DATA) + b"x"}.items():
    kind(f"gzip-{name}", "badResponse|malformed",
         response(body=body, headers=["Content-Encoding: gzip"]))
kind("zstd-not", "badResponse|malformed",
     response(body=b"\x28\xb5\x2f\xfd" + DATA, headers=["Content-Encoding: zstd"]))
kind("gzip-undeclared", "malformed", response(body=gzip.compress(DATA)))
kind("encoding-unknown", "any", response(headers=["Content-Encoding: secret"]))
kind("encoding-identity", "data", response(headers=["Content-Encoding: identity"]))

# Not HTTP, or hardly.
for name, text in {
    "ssh": b"SSH-2.0-OpenSSH_9\r\n", "binary": bytes(range(256)), "plain": DATA,
    "tls-alert": b"\x15\x03\x03\x00\x02\x02\x28", "h2": b"\x00\x00\x00\x04\x00\x00\x00\x00\x00",
    "no-status": b"HTTP/1.1 OK\r\n\r\n", "status-word": b"HTTP/1.1 abc OK\r\n\r\n",
    "status-1000": b"HTTP/1.1 1000 OK\r\n\r\n", "version": b"HTTP/9.9 200 OK\r\n\r\n" + DATA,
    "line-breaks": b"\r\n\r\n\r\n",
}.items():
    kind(f"protocol-{name}", "any", text)
kind("status-99", "any", response(99))
kind("status-999", "data", response(999))
kind("continue", "data", b"HTTP/1.1 100 Continue\r\n\r\n" + response())
kind("early-hints", "data", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + response())
kind("early-hints-401", "http",
     b"HTTP/1.1 103 Early Hints\r\nContent-Type: text/html\r\n\r\n" + response(401, b"No", TEXT))
kind("early-hints-events", "data",
     b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
     + response(body=b"event: next\ndata: " + DATA + b"\n\nevent: complete\n\n",
                media_type="text/event-stream"))
kind("early-hints-close", "connectionLost", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
kind("switching", "any", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + DATA)
kind("head-no-colon", "any", response(headers=["Nonsense"]))
kind("head-no-space", "data|badResponse|connectionLost|other", response(headers=["X-Tight:yes"]))
kind("head-empty-value", "any", response(headers=["X-Empty:"]))
kind("head-folded", "any", response(headers=["X-Folded: a\r\n b"]))
kind("head-latin1", "any", response(headers=[b"X-Latin: caf\xe9"]))
kind("head-nul", "any", response(headers=[b"X-Nul: a\0b"]))
kind("head-lf", "data|badResponse", response().replace(b"\r\n", b"\n"))
kind("head-twice", "data", response(headers=["X-Twice: a", "X-Twice: b", "Content-Type: text/plain"]))

# Redirects.
for status in (301, 302, 303, 307, 308):
    kind(f"redirect-elsewhere-{status}", "http",
         response(status, b"", None, ["Location: http://localhost:9/"]))
for status in (301, 302, 303):
    kind(f"redirect-post-{status}", "http", response(status, b"", None, ["Location: type-text"]))
for status in (307, 308):
    kind(f"redirect-same-{status}", "data", response(status, b"", None, ["Location: type-text"]))
kind("redirect-loop", "tooManyRedirects", response(307, b"", None, ["Location: redirect-loop"]))
kind("redirect-slow", "tooManyRedirects", 0.1,
     response(307, b"", None, ["Location: redirect-slow"]))
for name, location in {
    "none": None, "empty": "", "file": "file:///etc/passwd", "script": "javascript:alert(1)",
    "garbage": "http://[", "percent": "/%zz?%zz=%", "no-host": "http://", "spaces": "/a b c",
}.items():
    headers = [] if location is None else ["Location: " + location]
    kind(f"redirect-{name}", "http", response(302, b"", None, headers))
for status in (304, 305):
    kind(f"status-{status}", "http", response(status, b"", None, length="none"))


# 256 MiB of line breaks in 211 bytes (Brotli).
BROTLI = base64.b64decode(
    "z///f/glFOKxQCD3/p/////wSwDEYQGA7v0/////4ZcAiMMiAN37f/7//8MvARCHBQC69//8//+HXwIgDgsAdO//+f//D78E"
    "QBwWAOje//P//x9+CYA4LADQvf/n//8//BIAcVgAoHv/z///f/glAOKwAED3/p/////wSwDEYQGA7v0/////4ZcAiMMCAN37"
    "f/7//8MvARCHBQC69//8//+HXwIgDgsAdO//+f//D78EQBwWAOje//P//x9+CYA4LADQvf/n//8//BIAcVgAoHv/Pw==")
OTHERS["brotli"] = (None, (
    response(body=BROTLI, media_type="text/event-stream", headers=["Content-Encoding: br"]), hang))
OTHERS["large"] = (None, (response(body=b"x" * (8 << 20)),))
# Complete, although the request is not: `read_request` does not read its body.
OTHERS["early"] = (None, (
    response().replace(b"Connection: close\r\n", b""), never))
OTHERS["slow-reader"] = (None, (read_slowly, response()))


async def read_request(reader):
    first = await reader.readexactly(1)
    if first == b"\x16":
        raise EOFError("a TLS handshake: hang up in the middle of it")
    head = first + await reader.readuntil(b"\r\n\r\n")
    reader.body, reader.length = b"", 0
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            reader.length = int(value)
            if b"/other/early " not in head and b"/other/slow-reader " not in head:
                reader.body = await reader.readexactly(reader.length)
    method, target, _ = head.split(b" ", 2)
    reader.head = head
    if method == b"CONNECT":
        name = target.decode().split(".")[0]
        return ["", "tunnel" if name == "tunnel" else "proxy", name]
    return target.decode().split("?")[0].strip("/").split("/")


async def serve_steps(steps, reader, writer):
    for step in steps:
        if isinstance(step, bytes):
            writer.write(step)
        elif isinstance(step, float):
            await writer.drain()
            await asyncio.sleep(step)
        else:
            await step(reader, writer)
    await writer.drain()


async def serve_stale(here, reader, writer):
    """Answers once, and closes the connection on its second request."""
    here.count(total=1)
    writer.write(response().replace(b"Connection: close", b"Connection: keep-alive"))
    await writer.drain()
    await read_request(reader)
    here.count(total=1)


async def serve_echo(reader, writer, headers=()):
    """Answers each request of a connection with its bytes."""
    while True:
        answer = response(200, reader.head + reader.body, "text/plain", headers)
        writer.write(answer.replace(b"Connection: close", b"Connection: keep-alive"))
        await writer.drain()
        await read_request(reader)


async def serve(reader, writer):
    path = []
    try:
        path = await read_request(reader)
        if path[1] == "kinds":
            kinds = [{"name": name, "expected": expected}
                     for name, (expected, _) in TABLES[path[2]].items()]
            writer.write(response(body=json.dumps(kinds).encode()))
            await writer.drain()
            return
        here = space(path[0])
        here.count(connections=1)
        if path[1] == "client":
            known = writer.get_extra_info("peercert") is not None
            writer.write(response(200 if known else 403, DATA))
            await writer.drain()
        elif path[1] == "echo":
            await serve_echo(reader, writer)
        elif path[1] == "keep":
            await serve_echo(reader, writer, [f"Keep-Alive: max=100, Timeout={path[2]}"])
        elif path[1] == "stale":
            await serve_stale(here, reader, writer)
        else:
            here.operations[path[2]] += 1
            here.count(total=1)
            await serve_steps(TABLES[path[1]][path[2]][1], reader, writer)
    except OSError:
        if len(path) > 2:
            space(path[0]).closed_early[path[2]] += 1
            space(path[0]).touch()
    except (EOFError, LookupError, ValueError, asyncio.LimitOverrunError):
        pass
    finally:
        writer.close()
