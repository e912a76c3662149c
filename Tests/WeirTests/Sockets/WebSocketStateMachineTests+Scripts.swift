extension WebSocketStateMachineTests {
  // MARK: - Scripts

  /// One `input -> actions` per line.
  static let scripts: [(name: String, text: String)] = [
    (
      "one operation",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      {"id":"1","type":"next","payload":{"data":{}}} -> deliver 1
      {"id":"1","type":"complete"} -> finish 1; idle
      {"id":"1","type":"complete"} ->
      {"id":"1","type":"next","payload":{"data":{}}} ->
      {"id":"1","type":"error","payload":[{"message":"m"}]} ->
      leave 1 ->
      """
    ),
    (
      "operations wait for the acknowledgement, in order; cancelled ones are never sent",
      """
      start -> connect
      start ->
      start ->
      connected -> send connection_init
      start ->
      leave 2 ->
      {"type":"connection_ack","payload":{"a":1}} -> subscribe 1; subscribe 3; subscribe 4
      start -> subscribe 5
      """
    ),
    (
      "a query ends with its first final payload, and is not completed twice",
      """
      query -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      {"id":"1","type":"next","payload":{"data":{},"hasNext":true}} -> deliver 1
      {"id":"1","type":"next","payload":{"data":{},"hasNext":false}} -> deliver 1; finish 1; idle
      {"id":"1","type":"complete"} ->
      leave 1 ->
      query -> subscribe 2
      leave 2 -> send complete 2; idle
      """
    ),
    (
      "a query goes on after a payload that announces more without hasNext",
      """
      query -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      {"id":"1","type":"next","payload":{"data":{},"pending":[{"id":"0","path":[]}]}} -> deliver 1
      {"id":"1","type":"next","payload":{"incremental":[{"id":"0","data":{"b":2}}]}} -> deliver 1
      {"id":"1","type":"next","payload":{"path":[],"data":{"c":3}}} -> deliver 1
      {"id":"1","type":"next","payload":{"completed":[{"id":"1"}]}} -> deliver 1
      {"id":"1","type":"next","payload":{"completed":[{"id":"0"}],"hasNext":false}} -> deliver 1; finish 1; idle
      query -> subscribe 2
      {"id":"2","type":"next","payload":{"data":{},"pending":[]}} -> deliver 2; finish 2; idle
      """
    ),
    (
      "everyone leaves before the acknowledgement; the next operation uses the connection",
      """
      start -> connect
      leave 1 -> idle
      start ->
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 2
      """
    ),
    (
      "complete is sent once, by either side",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      start -> subscribe 2
      leave 1 -> send complete 1
      leave 1 ->
      {"id":"1","type":"next","payload":{"data":{}}} ->
      {"id":"1","type":"complete"} ->
      {"id":"2","type":"complete"} -> finish 2; idle
      leave 2 ->
      """
    ),
    (
      "an error ends only its own operation",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      start -> subscribe 2
      query -> subscribe 3
      {"id":"1","type":"error","payload":[{"message":"m"}]} -> fail 1
      {"id":"1","type":"error","payload":[{"message":"m"}]} ->
      {"id":"3","type":"error","payload":[{"message":"m"}]} -> deliver 3; finish 3
      {"id":"2","type":"next","payload":{}} -> deliver 2
      """
    ),
    (
      "the server's pings are answered at any time, and unknown ids are ignored",
      """
      start -> connect
      connected -> send connection_init
      {"type":"ping"} -> send pong
      {"type":"pong"} ->
      {"type":"connection_ack"} -> subscribe 1
      {"type":"ping","payload":{"a":1}} -> send pong
      {"id":"9","type":"next","payload":{}} ->
      {"id":"9","type":"complete"} ->
      """
    ),
    (
      "a server that sends nothing between two pings is lost; any message counts",
      """
      keepAlive ->
      start -> connect
      connected -> send connection_init
      keepAlive ->
      {"type":"connection_ack"} -> subscribe 1
      keepAlive -> send ping
      {"type":"pong"} ->
      keepAlive -> send ping
      {"id":"1","type":"next","payload":{}} -> deliver 1
      keepAlive -> send ping
      keepAlive -> close 4499
      """
    ),
    (
      "a lost connection ends all operations in order; ids continue on the next one",
      """
      start -> connect
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      start ->
      lost -> finish 1 x; finish 2 x; finish 3 x; finish 4 x; finish 5 x; finish 6 x; finish 7 x; finish 8 x; finish 9 x; finish 10 x; finish 11 x
      lost ->
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 12
      lost -> finish 12 x
      """
    ),
    (
      "operations that were not sent on an open connection wait for another one, once",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      start -> subscribe 2
      start -> subscribe 3
      leave 3 -> send complete 3
      lost 2 3 -> finish 1 x; connect
      start ->
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 2; subscribe 4
      lost 2 4 -> finish 2 x; connect
      connected -> send connection_init
      lost 4 -> finish 4 x
      start -> connect
      """
    ),
    (
      "a refusal of the older protocol closes the connection as forbidden",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_error","payload":"JWTExpired"} -> close 4403
      lost -> finish 1 x
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 2
      {"type":"connection_error"} -> close 4403
      """
    ),
    (
      "an idle connection is closed unless it was used since",
      """
      start -> connect
      connected -> send connection_init
      {"type":"connection_ack"} -> subscribe 1
      idled since 0 -> no
      leave 1 -> send complete 1; idle
      start -> subscribe 2
      idled since 1 -> no
      leave 2 -> send complete 2; idle
      idled since 1 -> no
      idled since 2 -> yes
      start -> connect
      connected -> send connection_init
      """
    ),
  ]
}
