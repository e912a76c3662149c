"""Raw responses that no client can be trusted to survive, each with the outcome that it must have.

  /SPACE/hostile/KIND   one response
  /SPACE/kinds/hostile  the names and expectations of all kinds, as JSON
  CONNECT KIND.…        the same server as a proxy: `PROXY_KINDS`

Expectations: `data` exactly `DATA`; `N` a response with the status N, whatever its body; otherwise the
code of a transport error. `a|b` is either of two.
"""

import asyncio
import gzip
import re
import zlib

from broken import DATA, TABLES, abort, chunked, endless, hang, response

KINDS, PROXY_KINDS = {}, {}
TABLES.update(hostile=KINDS, proxy=PROXY_KINDS)


def kind(name, expected, *steps):
    KINDS[name] = (expected, steps)


def head_of(answer):
    return answer[:answer.index(b"\r\n\r\n") + 4]


def redirect(location, status=302):
    return response(status, b"", None, ["Location: " + location])


# Heads that end at each byte, by FIN and by RST. A response whose head is complete has a body, so its
# end comes too early as well.
for name, answer in {
    "plain": response(), "401": response(401), "500": response(500, b"No", "text/plain"),
    "http-1.0": response().replace(b"HTTP/1.1", b"HTTP/1.0"), "chunked": chunked(DATA),
    "gzip": response(body=gzip.compress(DATA, mtime=0), headers=["Content-Encoding: gzip"]),
    "hints": b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + response(),
    "redirect": redirect("/elsewhere"),
}.items():
    final = answer.rindex(b"HTTP/1.")
    end = final + len(head_of(answer[final:]))
    for count in range(0, end):
        kind(f"head-{name}-{count}", "connectionLost|badResponse", answer[:count])
    for count in range(0, end, 7):
        kind(f"head-{name}-{count}-reset", "connectionLost|badResponse", answer[:count], 0.005, abort)

# Bodies that end at each byte.
for name, answer in {
    "length": response(), "chunks": chunked(DATA[:9], DATA[9:]),
    "trailer": chunked(DATA, end=b"0\r\nX-After: yes\r\nX-More: no\r\n\r\n"),
}.items():
    for count in range(len(head_of(answer)), len(answer)):
        # The last line break after the chunks does not matter.
        expected = "data|connectionLost" if count > len(answer) - 4 and name != "length" else "connectionLost"
        kind(f"body-{name}-{count}", expected, answer[:count])
        if count % 5 == 0:
            kind(f"body-{name}-{count}-reset", "connectionLost", answer[:count], 0.005, abort)
compressed = response(body=gzip.compress(DATA, mtime=0), headers=["Content-Encoding: gzip"])
for count in range(len(head_of(compressed)), len(compressed), 3):
    kind(f"body-gzip-{count}", "connectionLost|badResponse", compressed[:count])

# Trailers.
for name, trailer in {
    "one": b"X-After: yes\r\n", "many": b"".join(b"X-%d: x\r\n" % i for i in range(300)),
    "long": b"X-Long: " + b"x" * 50_000 + b"\r\n", "status": b"HTTP/1.1 500 No\r\n",
    "length": b"Content-Length: 5\r\n", "encoding": b"Content-Encoding: gzip\r\n",
    "transfer": b"Transfer-Encoding: chunked\r\n", "no-colon": b"Nonsense\r\n",
    "no-name": b": x\r\n", "folded": b"X-After: a\r\n b\r\n", "latin1": b"X-After: caf\xe9\r\n",
}.items():
    kind(f"trailer-{name}", "data|badResponse|connectionLost",
         chunked(DATA, end=b"0\r\n" + trailer + b"\r\n"))

kind("trailer-endless", "badResponse", chunked(DATA, end=b"0\r\n"), endless(b"a:\r\n" * 1000))

# Lengths around the limits of integers. The body is complete only if the length is not believed.
for power in (31, 32, 62, 63, 64):
    for difference in (-513, -512, -511, -2, -1, 0, 1, 2, 512):
        length = 2**power + difference
        kind(f"length-{power}-{difference}", "tooLarge|connectionLost|badResponse|data",
             response(length=length))
        kind(f"length-chunked-{power}-{difference}", "data|connectionLost|badResponse|tooLarge",
             chunked(end=b"%x\r\n" % length + DATA))
for name, length in {
    "plus": "+34", "zeros": "0" * 40 + "34", "hex": "0x22", "float": "34.0", "exponent": "1e3",
    "spaces": "3 4", "nbsp": "34\u00a0", "minus-zero": "-0", "long": "9" * 5000, "dash": "-",
    "list": "34, 34", "semicolon": "34;q=1",
}.items():
    kind(f"length-{name}", "data|200|connectionLost|badResponse|tooLarge",
         response(length=length))
kind("length-twice", "data|connectionLost|badResponse", response(headers=["Content-Length: 34"]))
kind("length-differs", "data|200|connectionLost|badResponse",
     response(headers=["Content-Length: 10"]))

# Chunks.
for name, chunk in {
    "negative": b"-22\r\n", "plus": b"+22\r\n", "hex": b"0x22\r\n", "spaces": b"  22\r\n",
    "empty": b"\r\n", "garbage": b"zz\r\n", "long": b"f" * 5000 + b"\r\n", "nul": b"\x00\r\n",
    "zeros": b"0" * 16 + b"22\r\n", "many-zeros": b"0" * 500 + b"22\r\n", "upper": b"22;A=B\r\n",
    "lf": b"22\n", "extension": b"22;" + b"x" * 30_000 + b"\r\n", "cr": b"22\r",
    "overflow-16": b"f" * 16 + b"\r\n", "overflow-17": b"1" + b"0" * 16 + b"\r\n",
    "max": b"7fffffffffffffff\r\n", "max-1": b"7ffffffffffffffe\r\n",
}.items():
    kind(f"chunk-{name}", "data|badResponse|connectionLost|tooLarge",
         chunked(end=chunk + DATA + b"\r\n0\r\n\r\n"))
kind("chunk-twice", "data|200|badResponse|connectionLost",
     chunked(DATA).replace(b"chunked\r\n", b"chunked\r\nTransfer-Encoding: chunked\r\n", 1))
kind("chunk-unknown", "data|200|badResponse|connectionLost",
     chunked(DATA).replace(b"chunked\r\n", b"secret\r\n", 1))
kind("chunk-endless", "timedOut|tooLarge", chunked(end=b""), endless(b"1\r\n \r\n", 0.0005))

# Redirects: none of them is one that the transport follows.
for name, location in {
    "ipv6": "//[::1]/", "ipv6-cut": "//[::1", "zone": "http://[fe80::1%25eth0]/", "v7": "//[v7.x]/",
    "escaped-host": "http://%6c%6f/", "escaped-nul": "http://a%00b/", "idn": "http://b\u00fccher.invalid/",
    "port-large": "http://127.0.0.1:99999/", "port-word": "http://127.0.0.1:x/", "slashes": "////",
    "userinfo": "http://user:password@127.0.0.1/", "data": "data:text/html,x", "ftp": "ftp://x/",
    "gopher": "gopher://127.0.0.1:9/_x", "tab": "ht\ttp://x/", "long": "/" + "x" * 60_000,
    "percent": "%", "fragment": "#x#y", "query": "?%", "backslash": "\\\\x\\y", "space": " ",
    "only-colon": ":", "unicode": "/\u2028\u202e\U0001f600", "https": "https://127.0.0.1:1/",
}.items():
    for status in (301, 302, 303, 307, 308):
        text = b"Location: " + location.encode()
        kind(f"redirect-{name}-{status}", f"{status}|tooManyRedirects|200|data|connectionLost",
             response(status, b"", None, [text]))
kind("redirect-latin1", "302", response(302, b"", None, [b"Location: http://caf\xe9/"]))

# Encodings.
for name, encoding, body in [
    ("gzip-bomb", "gzip", gzip.compress(bytes(80_000_000))),
    ("deflate-bomb", "deflate", zlib.compress(bytes(80_000_000))),
    ("nested-bomb", "gzip, gzip", gzip.compress(gzip.compress(bytes(80_000_000)))),
]:
    kind(f"encoding-{name}", "tooLarge", response(body=body, headers=["Content-Encoding: " + encoding]))
for encoding in ("gzip", "deflate", "br", "zstd", "compress", "x-gzip", "gzip, gzip", "identity, gzip",
                 "gzip;q=1", ",", ", ".join(["gzip"] * 30)):
    for name, body in {"plain": DATA, "empty": b"", "zeros": bytes(64), "ones": b"\xff" * 64,
                       "gzip-head": b"\x1f\x8b\x08" + b"\xff" * 30, "zlib-head": b"\x78\x9c" + b"\xff" * 30,
                       "zstd-head": b"\x28\xb5\x2f\xfd" + b"\xff" * 30}.items():
        kind(f"encoding-{re.sub('[^a-z]+', '.', encoding)[:16]}-{name}", "200|data|badResponse|connectionLost",
             response(body=body, headers=["Content-Encoding: " + encoding]))

# Interim responses.
hints = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
kind("interim-many", "data|badResponse", hints * 200 + response())
kind("interim-endless", "badResponse|timedOut", endless(hints * 100))
kind("interim-length", "data|badResponse|connectionLost|200",
     hints.replace(b"\r\n\r\n", b"\r\nContent-Length: 5\r\n\r\n") + response())
kind("interim-chunked", "data|badResponse|connectionLost|200",
     hints.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n") + response())
for status in (100, 101, 102, 103, 104, 110, 199):
    kind(f"interim-{status}", "data|101|connectionLost|badResponse",
         hints.replace(b"103", b"%d" % status) + response())
    kind(f"interim-{status}-only", "101|connectionLost|badResponse", hints.replace(b"103", b"%d" % status))

# Fields and status lines.
kind("fields-endless", "badResponse|timedOut", b"HTTP/1.1 200 OK\r\n", endless(b"X-More: yes\r\n" * 100))
kind("field-endless", "badResponse|timedOut", b"HTTP/1.1 200 OK\r\nX-Long: ", endless(b"x" * 10_000))
kind("fields-20000", "data|badResponse", response(headers=[f"X-{i}: x" for i in range(20_000)]))
for name, field in {
    "empty-name": b": x", "no-colon": b"x", "space": b"x y: z", "tab": b"\tx: y", "cr": b"x: a\rb: c",
    "nul": b"x: \0", "name-nul": b"x\0y: z", "bytes": bytes(range(128, 256)) + b": x",
    "value-bytes": b"x: " + bytes(range(128, 256)), "bell": b"x: \x07", "long-name": b"x" * 60_000 + b": y",
    "connection": b"Connection: keep-alive, close, x", "upgrade": b"Upgrade: h2c", "colons": b"x::::",
    "set-cookie": b"Set-Cookie: " + b"a=b; " * 5000, "alt-svc": b'Alt-Svc: h3=":443"; ma=99999999999999999999',
    "hsts": b"Strict-Transport-Security: max-age=99999999999999999999", "trailer": b"Trailer: x",
    "keep-alive": b"Keep-Alive: timeout=99999999999999999999, max=-1", "location": b"Location: /",
    "retry": b"Retry-After: 99999999999999999999", "range": b"Content-Range: bytes 5-4/3",
    "refresh": b"Refresh: 0; url=http://x/", "proxy": b"Proxy-Connection: close",
}.items():
    kind(f"field-{name}", "data|badResponse|connectionLost", response(headers=[field]))
for name, line in {
    "empty": b"", "spaces": b"   ", "no-version": b"200 OK", "no-status": b"HTTP/1.1", "zero": b"HTTP/1.1 0 x",
    "000": b"HTTP/1.1 000 x", "099": b"HTTP/1.1 099 x", "600": b"HTTP/1.1 600 x", "999": b"HTTP/1.1 999 x",
    "1000": b"HTTP/1.1 1000 x", "negative": b"HTTP/1.1 -200 x", "huge": b"HTTP/1.1 " + b"2" * 5000,
    "minor": b"HTTP/1.9 200 x", "major": b"HTTP/9.1 200 x", "http2": b"HTTP/2 200 x", "http3": b"HTTP/3 200 x",
    "http0.9": b"HTTP/0.9 200 x", "lower": b"http/1.1 200 OK", "icy": b"ICY 200 OK", "tabs": b"HTTP/1.1\t200\tOK",
    "no-reason": b"HTTP/1.1 200", "bytes": b"HTTP/1.1 200 " + bytes(range(128, 256)),
    "long": b"HTTP/1.1 200 " + b"x" * 200_000, "nul": b"HTTP/1.1 200 \0", "slash": b"HTTP/ 200 OK",
}.items():
    kind(f"status-{name}", "data|200|600|999|0|99|9|badResponse|connectionLost|timedOut",
         response().replace(b"HTTP/1.1 200 Whatever", line, 1))
for status in (204, 205, 304):
    kind(f"status-body-{status}", f"{status}|connectionLost", response(status))
kind("pipelined", "data", response() + response(500, b"other"))
kind("silence", "timedOut", hang)
kind("request-again", "badResponse|connectionLost", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
for name, text in {
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "h2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "smtp": b"220 mail ESMTP\r\n", "html": b"<html>" * 100, "zeros": bytes(5000), "lf": b"\n" * 5000,
    "crlf": b"\r\n" * 5000, "http": b"HTTP/1.1 " * 100, "ff": b"\xff" * 5000,
}.items():
    kind(f"protocol-{name}", "badResponse|connectionLost|timedOut", text)

# A proxy's answers to CONNECT. Only plain text follows, so nothing is ever a response.
ok = b"HTTP/1.1 200 Connection established\r\n\r\n"
# The port of the server with TLS, to which `tunnel.invalid` leads if the request names no other one.
TUNNEL_PORT = None


async def tunnel(reader, writer):
    async def copy(source, target):
        try:
            while chunk := await source.read(65536):
                target.write(chunk)
                await target.drain()
        finally:
            # Also after a reset: otherwise the client would wait for ever.
            target.close()

    port = int(reader.head.split(b" ", 2)[1].split(b":")[1])
    inner, outer = await asyncio.open_connection("127.0.0.1", TUNNEL_PORT if port == 443 else port)
    writer.write(ok)
    await asyncio.gather(copy(reader, outer), copy(inner, writer), return_exceptions=True)


def proxy_kind(name, expected, *steps):
    PROXY_KINDS[name] = (expected, steps)


for status in (301, 400, 401, 403, 407, 429, 500, 502, 503):
    proxy_kind(f"status-{status}", "proxyRefused" if status in (400, 401, 403, 407) else "cannotConnect",
               response(status, b"No", "text/plain", ["Proxy-Authenticate: Basic realm=x"]))
    proxy_kind(f"tunnel-{status}", "insecure|connectionLost|badResponse", ok + response(status))
for count in range(0, len(ok)):
    proxy_kind(f"cut-{count}", "connectionLost|cannotConnect|badResponse|insecure", ok[:count])
proxy_kind("cut-tunnel", "connectionLost|insecure", ok)
proxy_kind("hang", "timedOut", hang)
proxy_kind("hang-tunnel", "timedOut", ok, hang)
proxy_kind("garbage", "connectionLost|cannotConnect|badResponse|insecure", b"\xff" * 500)
proxy_kind("chunked", "connectionLost|cannotConnect|insecure|badResponse",
           ok.replace(b"\r\n\r\n", b"\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
proxy_kind("length", "connectionLost|cannotConnect|insecure|badResponse|timedOut",
           ok.replace(b"\r\n\r\n", b"\r\nContent-Length: 9223372036854775807\r\n\r\n"))
proxy_kind("fields-endless", "timedOut|cannotConnect|badResponse|connectionLost",
           b"HTTP/1.1 200 OK\r\n", endless(b"X-More: yes\r\n" * 100))
TABLES["tunnel"] = {"tunnel": (None, (tunnel,))}
