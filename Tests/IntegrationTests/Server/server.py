"""The server of the integration tests. Started by `start.py`; ends when its standard input closes.

When it listens, it prints one line: the ports of the GraphQL server, of the raw server, of the raw
server with TLS, of the HTTP/2 server, and of the WebSocket servers without and with TLS.
The first port can be given as an argument, so that a server can restart on its port.

GraphQL server. SPACE is any name; each space has its own data and counters.
  /SPACE/graphql             the schema; subscriptions as event streams and as multipart
  /SPACE/multipart           the same, without event streams
  /SPACE/socket              graphql-transport-ws over a WebSocket
  /SPACE/close?code=N        closes the WebSockets of the space with that code
  /SPACE/abort               ends their connections with a reset
  /SPACE/persisted           with automatic persisted queries
  /SPACE/unpersisted         refuses hashes, like a server that does not support them
  /SPACE/trusted             executes only documents of a manifest, by `documentId`
  /SPACE/manifest            takes a manifest
  /SPACE/batch               several operations in one request, at most 5
  /SPACE/ariadne             Ariadne, with its event streams; /SPACE/ariadne-plain without them
  /SPACE/core                graphql-core behind the handler in `core.py`, with incremental delivery in
                             the form of 2023; core-2022 and core-2020 have older forms
  /SPACE/guarded, token, flood, bomb  see `streaming.py`, also for how to cut connections
  /SPACE/stats               the counters, as JSON
  /SPACE/reset               restores the initial data and counters
  /SPACE/release             releases mutations that were sent with `hold`
  /SPACE/wait?NAME=N         returns the counters as soon as one of them is at least N
Raw server: see `broken.py`. HTTP/2: see `http2.py`. WebSocket servers: see `sockets.py`.
"""

import asyncio
import json
import logging
import os
import re
import socket
import ssl
import struct
import sys
import threading
from datetime import timedelta
from urllib.parse import parse_qs

import uvicorn
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL, GRAPHQL_TRANSPORT_WS_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL)

import broken
import core
import hostile  # adds its kinds to the raw server
import http2
import sockets as socket_servers
import streaming
import views
import with_ariadne
from schema import schema
from state import reset, space
from views import View


VIEWS = {
    "graphql": View(schema, graphql_ide=None, multipart_uploads_enabled=True,
                    subscription_protocols=[GRAPHQL_SSE_PROTOCOL,
                                            MULTIPART_SUBSCRIPTION_PROTOCOL]),
    "multipart": View(schema, graphql_ide=None,
                      subscription_protocols=[MULTIPART_SUBSCRIPTION_PROTOCOL]),
    "socket": views.SocketView(schema, graphql_ide=None, max_subscriptions_per_connection=None,
                               connection_init_wait_timeout=timedelta(minutes=10),
                               subscription_protocols=[GRAPHQL_TRANSPORT_WS_PROTOCOL]),
    "persisted": views.PersistedView(schema, graphql_ide=None),
    "unpersisted": views.UnpersistedView(schema, graphql_ide=None),
    "trusted": views.TrustedView(schema, graphql_ide=None),
    "batch": View(views.BATCH_SCHEMA, graphql_ide=None, multipart_uploads_enabled=True),
    **core.FORMS, **with_ariadne.VIEWS,
}
VIEWS["guarded"] = VIEWS["graphql"]


def operation_name(scope, body):
    """Returns the name under which the counters list the operation."""
    try:
        if scope["method"] == "GET":
            values = parse_qs(scope["query_string"].decode())
            request = {key: value[0] for key, value in values.items()}
        elif body.startswith(b"--"):
            operations = body.split(b"\r\n\r\n", 2)[1].split(b"\r\n--", 1)[0]
            request = json.loads(operations)
        else:
            request = json.loads(body)
        if isinstance(request, list):
            return f"batch of {len(request)}"
        named = re.search(r"\b(?:query|mutation|subscription)\s+(\w+)", request.get("query") or "")
        return request.get("operationName") or (named and named[1]) or "anonymous"
    except (ValueError, AttributeError, IndexError):
        return "unreadable"


def query_of(scope):
    return parse_qs(scope["query_string"].decode(), keep_blank_values=True)


async def answer(send, status, value):
    body = json.dumps(value).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def control(name, action, query, receive, send):
    if action == "manifest":
        views.register(space(name), await read_body(receive))
        await answer(send, 200, space(name).stats())
    elif action == "reset":
        await answer(send, 200, reset(name).stats())
    elif action == "stats":
        await answer(send, 200, space(name).stats())
    elif action == "release":
        space(name).released.set()
        await answer(send, 200, space(name).stats())
    elif action in ("close", "abort"):
        for connection in sockets(name):
            if action == "close":
                code = int(parse_qs(query)["code"][0])
                await connection.send({"type": "websocket.close", "code": code, "reason": "Bye"})
            else:
                option = struct.pack("ii", 1, 0)
                connection.transport.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, option)
                connection.transport.abort()
        await answer(send, 200, space(name).stats())
    elif action == "token":
        await answer(send, 200, streaming.renew(space(name)))
    elif action == "unix":
        await asyncio.start_unix_server(broken.serve, parse_qs(query)["path"][0])
        await answer(send, 200, space(name).stats())
    elif action == "flood":
        await streaming.flood(space(name), parse_qs(query), send)
    elif action == "bomb":
        await streaming.bomb(space(name), send)
    elif action == "wait":
        (counter, (at_least,)), = parse_qs(query).items()
        try:
            await space(name).wait(counter, int(at_least))
            await answer(send, 200, space(name).stats())
        except asyncio.TimeoutError:
            await answer(send, 408, space(name).stats())
    else:
        await answer(send, 404, {"message": "There is no such path."})


async def read_body(receive):
    """Returns the complete body of a request; None if the client disconnects before its end."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


async def graphql(view, here, scope, receive, send):
    body = await read_body(receive)
    if body is None:
        here.count(cut=1)
        return
    if any(field == b"transfer-encoding" for field, _ in scope["headers"]):
        here.count(chunked=1)
    name = operation_name(scope, body)
    here.operations[name] += 1
    here.count(total=1, in_flight=1)
    complete, gone, unread = False, asyncio.Event(), True
    cutter = streaming.Cutter(query_of(scope), name, here.operations[name], send)

    async def replay():
        nonlocal unread
        if unread:
            unread = False
            return {"type": "http.request", "body": body, "more_body": False}
        await gone.wait()
        return {"type": "http.disconnect"}

    async def observe(message):
        nonlocal complete
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            complete = True
        cutter.note(message)
        await send(message)

    working = asyncio.ensure_future(view(dict(scope, space=here), replay, observe))

    async def watch():
        while (await receive())["type"] != "http.disconnect":
            pass
        if not complete:
            here.closed_early[name] += 1
            here.touch()
            gone.set()
            working.cancel()

    watching = asyncio.ensure_future(watch())
    try:
        await working
    except asyncio.CancelledError:
        pass
    except Exception:
        # Frameworks wrap the exceptions of their responses.
        if not cutter.has_cut:
            raise
    finally:
        watching.cancel()
        here.count(in_flight=-1)


def sockets(name):
    """Returns uvicorn's WebSocket connections of a space."""
    return [connection for connection in SERVER.server_state.connections
            if (getattr(connection, "scope", None) or {}).get("type") == "websocket"
            and connection.scope["path"].startswith(f"/{name}/")]


async def websocket(view, here, scope, receive, send):
    here.count(sockets=1, sockets_opened=1)

    async def observe():
        message = await receive()
        if message["type"] == "websocket.disconnect":
            here.closing_codes.append(message.get("code"))
            here.touch()
        return message

    try:
        await view(dict(scope, space=here), observe, send)
    finally:
        here.count(sockets=-1)


async def app(scope, receive, send):
    name, _, action = scope["path"].strip("/").partition("/")
    if scope["type"] == "websocket":
        if action in VIEWS:
            await websocket(VIEWS[action], space(name), scope, receive, send)
        else:
            await send({"type": "websocket.close"})
    elif action == "guarded" and not await streaming.admit(space(name), scope, query_of(scope)):
        await answer(send, 401, {"errors": [{"message": "Who are you?"}]})
    elif action in VIEWS:
        await graphql(VIEWS[action], space(name), scope, receive, send)
    else:
        await control(name, action, scope["query_string"].decode(), receive, send)


def end_with_parent():
    while os.read(0, 4096):
        pass
    os._exit(0)


def secure_context():
    """For `localhost` and `tunnel.invalid`, with a certificate that only tests trust."""
    folder = os.path.dirname(os.path.abspath(__file__))
    certificate = os.path.join(folder, "certificate.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, os.path.join(folder, "key.pem"))
    context.load_verify_locations(certificate)
    context.verify_mode = ssl.CERT_OPTIONAL
    return context


async def listening(port):
    """Returns a socket that is bound to `port`, or to any port if it is 0. A port that a server has
    just left may belong to a connection of any program for a moment."""
    while True:
        # asyncio sends without delay only over sockets that name the protocol.
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", port))
            return bound
        except OSError:
            bound.close()
            await asyncio.sleep(0.05)


async def main():
    threading.Thread(target=end_with_parent, daemon=True).start()
    logging.disable(logging.CRITICAL)
    global SERVER
    graphql_socket = await listening(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    config = uvicorn.Config(app, log_config=None, lifespan="off", timeout_keep_alive=60, ws="wsproto", ws_ping_interval=None,
                            h11_max_incomplete_event_size=1 << 20)
    server = SERVER = uvicorn.Server(config)
    raw = await asyncio.start_server(broken.serve, "127.0.0.1", 0, backlog=512, limit=1 << 20)
    secure = await asyncio.start_server(broken.serve, "127.0.0.1", 0, ssl=secure_context())
    hostile.TUNNEL_PORT = secure.sockets[0].getsockname()[1]
    others = [await http2.start(secure_context()), await socket_servers.start(None),
              await socket_servers.start(secure_context())]
    serving = asyncio.ensure_future(server.serve(sockets=[graphql_socket]))
    while not server.started:
        await asyncio.sleep(0.005)
    port = graphql_socket.getsockname()[1]
    others = [next(iter(server.sockets)).getsockname()[1] for server in others]
    print(port, raw.sockets[0].getsockname()[1], hostile.TUNNEL_PORT, *others, flush=True)
    await serving


sys.setrecursionlimit(10_000)
asyncio.run(main())
