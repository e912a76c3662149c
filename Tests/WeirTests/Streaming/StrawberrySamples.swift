/// Responses of a strawberry-graphql 0.341 server as they came, one string for each chunk.
enum StrawberrySamples {
  struct Response: Sendable {
    let contentType: String
    let chunks: [String]

    var bytes: [UInt8] { Array(chunks.joined().utf8) }
  }

  static let defer = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 202\#r\#n"#
        + #"\#r\#n"#
        + #"{"data":{"post":{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}},"hasNext":true,"pending":[{"id":"0","path":["post","author"]},{"id":"1","path":["post"],"label":"slow"}],"extensions":null}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 162\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"completed":[{"id":"0"}],"incremental":[{"data":{"bio":"Ada Lovelace writes."},"id":"0","path":["post","author"],"label":null}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 227\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":false,"extensions":null,"completed":[{"id":"1"}],"incremental":[{"data":{"slowBody":"Body of post 1.\nSecond line \"quoted\" \u2013 \u00fcn\u00efc\u00f6d\u00e9.","views":10},"id":"1","path":["post"],"label":"slow"}]}\#r\#n"#
        + #"---"#,
      #"--\#r\#n"#,
    ])

  static let deferError = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 157\#r\#n"#
        + #"\#r\#n"#
        + #"{"data":{"post":{"id":"p2"}},"hasNext":true,"pending":[{"id":"0","path":["post"],"label":"bad"},{"id":"1","path":["post"],"label":"soft"}],"extensions":null}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 294\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"completed":[{"id":"1"}],"incremental":[{"data":{"views":20,"broken":null},"id":"1","errors":[{"message":"Post p2 is broken","locations":[{"line":1,"column":119}],"path":["post","broken"],"extensions":{"code":"BROKEN_FIELD"}}],"path":["post"],"label":"soft"}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 215\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":false,"extensions":null,"completed":[{"id":"0","errors":[{"message":"Post p2 is badly broken","locations":[{"line":1,"column":56}],"path":["post","brokenNonNull"],"extensions":{"code":"BROKEN_FIELD"}}]}]}\#r\#n"#
        + #"---"#,
      #"--\#r\#n"#,
    ])

  static let deferSse = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#n"#
        + #"data: {"data":{"post":{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}},"hasNext":true,"pending":[{"id":"0","path":["post","author"]},{"id":"1","path":["post"],"label":"slow"}],"extensions":{}}\#r\#n"#
        + #"\#r\#n"#,
      #"event: next\#r\#n"#
        + #"data: {"hasNext":true,"extensions":null,"completed":[{"id":"0"}],"incremental":[{"data":{"bio":"Ada Lovelace writes."},"id":"0","path":["post","author"],"label":null}]}\#r\#n"#
        + #"\#r\#n"#,
      #"event: next\#r\#n"#
        + #"data: {"hasNext":false,"extensions":null,"completed":[{"id":"1"}],"incremental":[{"data":{"slowBody":"Body of post 1.\nSecond line \"quoted\" \u2013 \u00fcn\u00efc\u00f6d\u00e9.","views":10},"id":"1","path":["post"],"label":"slow"}]}\#r\#n"#
        + #"\#r\#n"#,
      #"event: complete\#r\#n"#
        + #"data: \#r\#n"#
        + #"\#r\#n"#,
    ])

  static let stream = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 118\#r\#n"#
        + #"\#r\#n"#
        + #"{"data":{"countdown":[4]},"hasNext":true,"pending":[{"id":"0","path":["countdown"],"label":"down"}],"extensions":null}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 109\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"incremental":[{"items":[3],"id":"0","path":["countdown"],"label":"down"}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 109\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"incremental":[{"items":[2],"id":"0","path":["countdown"],"label":"down"}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 109\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"incremental":[{"items":[1],"id":"0","path":["countdown"],"label":"down"}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 60\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":false,"extensions":null,"completed":[{"id":"0"}]}\#r\#n"#
        + #"---"#,
      #"--\#r\#n"#,
    ])

  static let streamError = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 103\#r\#n"#
        + #"\#r\#n"#
        + #"{"data":{"countdown":[4]},"hasNext":true,"pending":[{"id":"0","path":["countdown"]}],"extensions":null}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 107\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"incremental":[{"items":[3],"id":"0","path":["countdown"],"label":null}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 202\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":false,"extensions":null,"completed":[{"id":"0","errors":[{"message":"countdown failed at 2","locations":[{"line":1,"column":3}],"path":["countdown"],"extensions":{"code":"STREAM_FAILED"}}]}]}\#r\#n"#
        + #"---"#,
      #"--\#r\#n"#,
    ])

  static let streamObjects = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 153\#r\#n"#
        + #"\#r\#n"#
        + #"{"data":{"feed":[{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}]},"hasNext":true,"pending":[{"id":"0","path":["feed"]}],"extensions":null}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 162\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"incremental":[{"items":[{"id":"p2","title":"Post 2","author":{"name":"Grace Hopper"}}],"id":"0","path":["feed"],"label":null}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 183\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":true,"extensions":null,"incremental":[{"items":[{"id":"p3","title":"Post 3","author":{"name":"Zo\u00eb M\u00fcller \ud83d\ude80"}}],"id":"0","path":["feed"],"label":null}]}\#r\#n"#
        + #"---"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 60\#r\#n"#
        + #"\#r\#n"#
        + #"{"hasNext":false,"extensions":null,"completed":[{"id":"0"}]}\#r\#n"#
        + #"---"#,
      #"--\#r\#n"#,
    ])

  static let sse = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#n"#
        + #"data: {"data":{"counter":1}}\#r\#n"#
        + #"\#r\#n"#,
      #"event: next\#r\#n"#
        + #"data: {"data":{"counter":2}}\#r\#n"#
        + #"\#r\#n"#,
      #"event: next\#r\#n"#
        + #"data: {"data":{"counter":3}}\#r\#n"#
        + #"\#r\#n"#,
      #"event: complete\#r\#n"#
        + #"data: \#r\#n"#
        + #"\#r\#n"#,
    ])

  static let sseError = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#n"#
        + #"data: {"data":{"counter":1}}\#r\#n"#
        + #"\#r\#n"#,
      #"event: next\#r\#n"#
        + #"data: {"data":null,"errors":[{"message":"counter failed at 2","extensions":{"code":"STREAM_FAILED"}}]}\#r\#n"#
        + #"\#r\#n"#,
      #"event: complete\#r\#n"#
        + #"data: \#r\#n"#
        + #"\#r\#n"#,
    ])

  static let sseQuery = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#n"#
        + #"data: {"data":{"posts":[{"__typename":"Post","id":"p1","title":"Post 1","author":{"__typename":"Author","id":"a1","name":"Ada Lovelace"}},{"__typename":"Post","id":"p2","title":"Post 2","author":{"__typename":"Author","id":"a2","name":"Grace Hopper"}}]}}\#r\#n"#
        + #"\#r\#n"#,
      #"event: complete\#r\#n"#
        + #"data: \#r\#n"#
        + #"\#r\#n"#,
    ])

  static let sseValidationError = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#n"#
        + #"data: {"data":null,"errors":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}\#r\#n"#
        + #"\#r\#n"#,
      #"event: complete\#r\#n"#
        + #"data: \#r\#n"#
        + #"\#r\#n"#,
    ])

  static let multipartSubscription = Response(
    contentType: #"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"#,
    chunks: [
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 2\#r\#n"#
        + #"\#r\#n"#
        + #"{}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 34\#r\#n"#
        + #"\#r\#n"#
        + #"{"payload":{"data":{"counter":1}}}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 34\#r\#n"#
        + #"\#r\#n"#
        + #"{"payload":{"data":{"counter":2}}}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 34\#r\#n"#
        + #"\#r\#n"#
        + #"{"payload":{"data":{"counter":3}}}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"--graphql--\#r\#n"#,
    ])

  static let multipartSubscriptionError = Response(
    contentType: #"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"#,
    chunks: [
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 2\#r\#n"#
        + #"\#r\#n"#
        + #"{}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 34\#r\#n"#
        + #"\#r\#n"#
        + #"{"payload":{"data":{"counter":1}}}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 108\#r\#n"#
        + #"\#r\#n"#
        + #"{"payload":{"data":null,"errors":[{"message":"counter failed at 2","extensions":{"code":"STREAM_FAILED"}}]}}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"--graphql--\#r\#n"#,
    ])

  static let multipartSubscriptionValidationError = Response(
    contentType: #"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"#,
    chunks: [
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 2\#r\#n"#
        + #"\#r\#n"#
        + #"{}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"Content-Type: application/json; charset=utf-8\#r\#n"#
        + #"Content-Length: 137\#r\#n"#
        + #"\#r\#n"#
        + #"{"payload":{"data":null,"errors":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}}\#r\#n"#
        + #"--graphql"#,
      #"\#r\#n"#
        + #"--graphql--\#r\#n"#,
    ])
}
