"""An HTTP/2 server over TLS that misbehaves.

  /SPACE/KIND   one response; `KINDS` has the outcome that a client must report
  /SPACE/open   a response without an end; marks `open`, and `dropped` when the client ends it.
                Then the other open responses on its connection get another byte
  /SPACE/large  the same, but the body is compressed, and inflates to 8 MB at once
  /SPACE/upload a request whose body does not end; marks `upload`, and `dropped` as above

A client that does not offer HTTP/2 gets one response over HTTP/1.1, with that name as its body.

Expectations as in `hostile.py`. Two requests to a kind ending in `-twice` follow each other; its
expectation is that of the second one.
"""

import asyncio
import gzip

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import DataReceived, RequestReceived, StreamEnded, StreamReset
from h2.exceptions import ProtocolError

from broken import DATA, TABLES, response
from state import space

HEAD = [(":status", "200"), ("content-type", "application/json")]
KINDS = TABLES["http2"] = {}
LARGE = {"large": gzip.compress(bytes(8_000_000)), "huge": gzip.compress(bytes(40_000_000))}


def kind(name, expected):
    def add(steps):
        KINDS[name] = (expected, steps)
        return steps

    return add


@kind("data", "data")
def data(h2, stream):
    h2.send_headers(stream, HEAD)
    h2.send_data(stream, DATA, end_stream=True)


@kind("trailers", "data")
def trailers(h2, stream):
    h2.send_headers(stream, HEAD)
    h2.send_data(stream, DATA)
    h2.send_headers(stream, [("x-after", "yes"), ("grpc-status", "0")], end_stream=True)


@kind("hints", "data")
def hints(h2, stream):
    h2.send_headers(stream, [(":status", "103"), ("link", "</x>")])
    data(h2, stream)


for code in ErrorCodes:
    # After a refusal the request may be sent again, which ends with the same result.
    @kind(f"reset-{code.name}", "connectionLost|badResponse")
    def reset(h2, stream, code=code):
        h2.reset_stream(stream, code)

    @kind(f"reset-in-body-{code.name}", "connectionLost|badResponse")
    def reset_in_body(h2, stream, code=code):
        h2.send_headers(stream, HEAD)
        h2.send_data(stream, DATA[:10])
        h2.reset_stream(stream, code)

    @kind(f"goaway-{code.name}", "connectionLost|badResponse")
    def goaway(h2, stream, code=code):
        h2.close_connection(code, last_stream_id=0)
        return True

    @kind(f"goaway-in-body-{code.name}", "connectionLost|badResponse")
    def goaway_in_body(h2, stream, code=code):
        h2.send_headers(stream, HEAD)
        h2.send_data(stream, DATA[:10])
        h2.close_connection(code, last_stream_id=stream)
        return True


# A server that shuts down finishes the requests that it has accepted.
@kind("goaway-then-data-twice", "data")
def goaway_then_data(h2, stream):
    h2.send_headers(stream, HEAD)
    h2.send_data(stream, DATA[:10])
    first = h2.data_to_send()
    h2.send_data(stream, DATA[10:], end_stream=True)
    rest = h2.data_to_send()
    h2.close_connection(ErrorCodes.NO_ERROR, last_stream_id=stream)
    return first + h2.data_to_send() + rest


@kind("goaway-after-data-twice", "data")
def goaway_after_data(h2, stream):
    data(h2, stream)
    h2.close_connection(ErrorCodes.NO_ERROR, last_stream_id=stream)


@kind("close", "connectionLost")
def close(h2, stream):
    return True


@kind("close-in-body", "connectionLost")
def close_in_body(h2, stream):
    h2.send_headers(stream, HEAD)
    h2.send_data(stream, DATA[:10])
    return True


@kind("length-too-large", "connectionLost|badResponse")
def length_too_large(h2, stream):
    h2.send_headers(stream, HEAD + [("content-length", "1000")])
    h2.send_data(stream, DATA, end_stream=True)


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.paths, self.open, self.large = transport, {}, {}, set()
        tls = transport.get_extra_info("ssl_object")
        self.is_http2 = tls.selected_alpn_protocol() == "h2"
        if not self.is_http2:
            return
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8",
                                               validate_outbound_headers=False,
                                               normalize_outbound_headers=False))
        self.h2.initiate_connection()
        transport.write(self.h2.data_to_send())

    def data_received(self, received):
        if not self.is_http2:
            self.transport.write(response(body=b"HTTP/1.1"))
            self.transport.close()
            return
        try:
            events = self.h2.receive_data(received)
        except ProtocolError:
            self.transport.close()
            return
        ends = False
        for event in events:
            if isinstance(event, RequestReceived):
                path = dict(event.headers)[":path"]
                name, action = self.paths[event.stream_id] = path.strip("/").split("/")
                if action == "upload":
                    self.open[event.stream_id] = space(name)
                    self.open[event.stream_id].mark("upload")
            elif isinstance(event, DataReceived):
                self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamReset):
                self.dropped(event.stream_id)
            elif isinstance(event, StreamEnded):
                ends = self.answer(event.stream_id) or ends
        self.transport.write(self.h2.data_to_send())
        if ends:
            self.transport.close()

    def answer(self, stream):
        name, action = self.paths[stream]
        if action == "open":
            self.open[stream] = space(name)
            self.h2.send_headers(stream, HEAD)
            self.h2.send_data(stream, b"a")
            self.open[stream].mark("open")
            return False
        if action in LARGE:
            self.open[stream] = space(name)
            self.large.add(stream)
            self.h2.send_headers(stream, HEAD + [("content-encoding", "gzip")])
            for start in range(0, len(LARGE[action]), 16_384):
                self.h2.send_data(stream, LARGE[action][start:start + 16_384])
            return False
        result = KINDS[action][1](self.h2, stream)
        if isinstance(result, bytes):
            self.transport.write(result)
        return result is True

    def dropped(self, stream):
        here = self.open.pop(stream, None)
        if here:
            for other in self.open.keys() - self.large:
                self.h2.send_data(other, b"b")
            here.mark("dropped")

    def connection_lost(self, error):
        for here in self.open.values():
            here.mark("dropped")


async def start(context):
    context.set_alpn_protocols(["h2", "http/1.1"])
    return await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", 0, ssl=context)
