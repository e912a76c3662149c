/// Recorded conversations with strawberry-graphql 0.341. `>` marks the client's messages, `<` the
/// server's, and `!` the code and reason with which the server closed.
enum RecordedConversations {
  static let query = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "1", "type": "subscribe", "payload": {"query": "{ hello }"}}
    < {"id":"1","type":"next","payload":{"data":{"hello":"Hello, world!"}}}
    < {"id":"1","type":"complete"}
    """#
  static let mutation = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "1", "type": "subscribe", "payload": {"query": "mutation { slowMutation(delayMs: 5) }"}}
    < {"id":"1","type":"next","payload":{"data":{"slowMutation":1}}}
    < {"id":"1","type":"complete"}
    """#
  static let subscription = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "1", "type": "subscribe", "payload": {"query": "subscription C($n: Int) { counter(to: $n, intervalMs: 20) }", "variables": {"n": 2}}}
    < {"id":"1","type":"next","payload":{"data":{"counter":1}}}
    < {"id":"1","type":"next","payload":{"data":{"counter":2}}}
    < {"id":"1","type":"complete"}
    """#
  static let sourceError = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "1", "type": "subscribe", "payload": {"query": "subscription { counter(to: 3, intervalMs: 20, failAt: 2) }"}}
    < {"id":"1","type":"next","payload":{"data":{"counter":1}}}
    < {"id":"1","type":"next","payload":{"data":null,"errors":[{"message":"counter failed at 2","extensions":{"code":"STREAM_FAILED"}}]}}
    < {"id":"1","type":"complete"}
    """#
  static let validationError = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "1", "type": "subscribe", "payload": {"query": "subscription { nope }"}}
    < {"id":"1","type":"error","payload":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}
    """#
  static let twoAndCancel = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "a", "type": "subscribe", "payload": {"query": "subscription { counter(to: 100, intervalMs: 30) }"}}
    > {"id": "b", "type": "subscribe", "payload": {"query": "subscription C($n: Int) { counter(to: $n, intervalMs: 20) }", "variables": {"n": 2}}}
    < {"id":"b","type":"next","payload":{"data":{"counter":1}}}
    < {"id":"a","type":"next","payload":{"data":{"counter":1}}}
    > {"id": "a", "type": "complete"}
    < {"id":"b","type":"next","payload":{"data":{"counter":2}}}
    < {"id":"b","type":"complete"}
    """#
  static let ping = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"type": "ping", "payload": {"a": 1}}
    < {"type":"pong"}
    """#
  static let noInit = #"""
    > {"id": "1", "type": "subscribe", "payload": {"query": "subscription C($n: Int) { counter(to: $n, intervalMs: 20) }", "variables": {"n": 2}}}
    ! 4401 Unauthorized
    """#
  static let duplicateId = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"id": "a", "type": "subscribe", "payload": {"query": "subscription { counter(to: 100, intervalMs: 30) }"}}
    > {"id": "a", "type": "subscribe", "payload": {"query": "subscription C($n: Int) { counter(to: $n, intervalMs: 20) }", "variables": {"n": 2}}}
    ! 4409 Subscriber for a already exists
    """#
  static let twoInits = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > {"type": "connection_init", "payload": {"token": "t"}}
    ! 4429 Too many initialisation requests
    """#
  static let badMessage = #"""
    > {"type": "connection_init", "payload": {"token": "t"}}
    < {"type":"connection_ack"}
    > nope
    ! 4400 WebSocket message must be valid JSON
    """#
  static let badSubprotocol = #"""
    ! 4406 Subprotocol not acceptable
    """#
  static let oldProtocol = #"""
    > {"type": "connection_init", "payload": {}}
    < {"type":"connection_ack"}
    > {"id": "1", "type": "start", "payload": {"query": "subscription C($n: Int) { counter(to: $n, intervalMs: 20) }", "variables": {"n": 2}}}
    < {"type":"data","id":"1","payload":{"data":{"counter":1}}}
    < {"type":"data","id":"1","payload":{"data":{"counter":2}}}
    < {"type":"complete","id":"1"}
    """#
}
