/// Recorded responses of a strawberry-graphql 0.341 server, one string for each chunk.
enum StrawberrySamples {
  struct Response: Sendable {
    let contentType: String
    let chunks: [String]

    var bytes: [UInt8] { Array(chunks.joined().utf8) }
  }

  static let deferred = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 202\#r\#n\#r\#n{"data":{"post":{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}},"hasNext":true,"pending":[{"id":"0","path":["post","author"]},{"id":"1","path":["post"],"label":"slow"}],"extensions":null}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 162\#r\#n\#r\#n{"hasNext":true,"extensions":null,"completed":[{"id":"0"}],"incremental":[{"data":{"bio":"Ada Lovelace writes."},"id":"0","path":["post","author"],"label":null}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 227\#r\#n\#r\#n{"hasNext":false,"extensions":null,"completed":[{"id":"1"}],"incremental":[{"data":{"slowBody":"Body of post 1.\nSecond line \"quoted\" \u2013 \u00fcn\u00efc\u00f6d\u00e9.","views":10},"id":"1","path":["post"],"label":"slow"}]}\#r\#n---"#,
      #"--\#r\#n"#,
    ])

  static let deferredError = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 157\#r\#n\#r\#n{"data":{"post":{"id":"p2"}},"hasNext":true,"pending":[{"id":"0","path":["post"],"label":"bad"},{"id":"1","path":["post"],"label":"soft"}],"extensions":null}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 294\#r\#n\#r\#n{"hasNext":true,"extensions":null,"completed":[{"id":"1"}],"incremental":[{"data":{"views":20,"broken":null},"id":"1","errors":[{"message":"Post p2 is broken","locations":[{"line":1,"column":119}],"path":["post","broken"],"extensions":{"code":"BROKEN_FIELD"}}],"path":["post"],"label":"soft"}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 215\#r\#n\#r\#n{"hasNext":false,"extensions":null,"completed":[{"id":"0","errors":[{"message":"Post p2 is badly broken","locations":[{"line":1,"column":56}],"path":["post","brokenNonNull"],"extensions":{"code":"BROKEN_FIELD"}}]}]}\#r\#n---"#,
      #"--\#r\#n"#,
    ])

  static let deferredSse = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#ndata: {"data":{"post":{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}},"hasNext":true,"pending":[{"id":"0","path":["post","author"]},{"id":"1","path":["post"],"label":"slow"}],"extensions":{}}\#r\#n\#r\#n"#,
      #"event: next\#r\#ndata: {"hasNext":true,"extensions":null,"completed":[{"id":"0"}],"incremental":[{"data":{"bio":"Ada Lovelace writes."},"id":"0","path":["post","author"],"label":null}]}\#r\#n\#r\#n"#,
      #"event: next\#r\#ndata: {"hasNext":false,"extensions":null,"completed":[{"id":"1"}],"incremental":[{"data":{"slowBody":"Body of post 1.\nSecond line \"quoted\" \u2013 \u00fcn\u00efc\u00f6d\u00e9.","views":10},"id":"1","path":["post"],"label":"slow"}]}\#r\#n\#r\#n"#,
      #"event: complete\#r\#ndata: \#r\#n\#r\#n"#,
    ])

  static let streamed = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 118\#r\#n\#r\#n{"data":{"countdown":[4]},"hasNext":true,"pending":[{"id":"0","path":["countdown"],"label":"down"}],"extensions":null}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 109\#r\#n\#r\#n{"hasNext":true,"extensions":null,"incremental":[{"items":[3],"id":"0","path":["countdown"],"label":"down"}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 109\#r\#n\#r\#n{"hasNext":true,"extensions":null,"incremental":[{"items":[2],"id":"0","path":["countdown"],"label":"down"}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 109\#r\#n\#r\#n{"hasNext":true,"extensions":null,"incremental":[{"items":[1],"id":"0","path":["countdown"],"label":"down"}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 60\#r\#n\#r\#n{"hasNext":false,"extensions":null,"completed":[{"id":"0"}]}\#r\#n---"#,
      #"--\#r\#n"#,
    ])

  static let streamedError = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 103\#r\#n\#r\#n{"data":{"countdown":[4]},"hasNext":true,"pending":[{"id":"0","path":["countdown"]}],"extensions":null}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 107\#r\#n\#r\#n{"hasNext":true,"extensions":null,"incremental":[{"items":[3],"id":"0","path":["countdown"],"label":null}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 202\#r\#n\#r\#n{"hasNext":false,"extensions":null,"completed":[{"id":"0","errors":[{"message":"countdown failed at 2","locations":[{"line":1,"column":3}],"path":["countdown"],"extensions":{"code":"STREAM_FAILED"}}]}]}\#r\#n---"#,
      #"--\#r\#n"#,
    ])

  static let streamedObjects = Response(
    contentType: #"multipart/mixed; boundary="-""#,
    chunks: [
      #"---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 153\#r\#n\#r\#n{"data":{"feed":[{"id":"p1","title":"Post 1","author":{"name":"Ada Lovelace"}}]},"hasNext":true,"pending":[{"id":"0","path":["feed"]}],"extensions":null}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 162\#r\#n\#r\#n{"hasNext":true,"extensions":null,"incremental":[{"items":[{"id":"p2","title":"Post 2","author":{"name":"Grace Hopper"}}],"id":"0","path":["feed"],"label":null}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 183\#r\#n\#r\#n{"hasNext":true,"extensions":null,"incremental":[{"items":[{"id":"p3","title":"Post 3","author":{"name":"Zo\u00eb M\u00fcller \ud83d\ude80"}}],"id":"0","path":["feed"],"label":null}]}\#r\#n---"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 60\#r\#n\#r\#n{"hasNext":false,"extensions":null,"completed":[{"id":"0"}]}\#r\#n---"#,
      #"--\#r\#n"#,
    ])

  static let sse = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#ndata: {"data":{"counter":1}}\#r\#n\#r\#n"#,
      #"event: next\#r\#ndata: {"data":{"counter":2}}\#r\#n\#r\#n"#,
      #"event: next\#r\#ndata: {"data":{"counter":3}}\#r\#n\#r\#n"#,
      #"event: complete\#r\#ndata: \#r\#n\#r\#n"#,
    ])

  static let sseError = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#ndata: {"data":{"counter":1}}\#r\#n\#r\#n"#,
      #"event: next\#r\#ndata: {"data":null,"errors":[{"message":"counter failed at 2","extensions":{"code":"STREAM_FAILED"}}]}\#r\#n\#r\#n"#,
      #"event: complete\#r\#ndata: \#r\#n\#r\#n"#,
    ])

  static let sseValidationError = Response(
    contentType: #"text/event-stream"#,
    chunks: [
      #"event: next\#r\#ndata: {"data":null,"errors":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}\#r\#n\#r\#n"#,
      #"event: complete\#r\#ndata: \#r\#n\#r\#n"#,
    ])

  static let multipartSubscription = Response(
    contentType: #"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"#,
    chunks: [
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 2\#r\#n\#r\#n{}\#r\#n--graphql"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 34\#r\#n\#r\#n{"payload":{"data":{"counter":1}}}\#r\#n--graphql"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 34\#r\#n\#r\#n{"payload":{"data":{"counter":2}}}\#r\#n--graphql"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 34\#r\#n\#r\#n{"payload":{"data":{"counter":3}}}\#r\#n--graphql"#,
      #"\#r\#n--graphql--\#r\#n"#,
    ])

  static let multipartSubscriptionError = Response(
    contentType: #"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"#,
    chunks: [
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 2\#r\#n\#r\#n{}\#r\#n--graphql"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 34\#r\#n\#r\#n{"payload":{"data":{"counter":1}}}\#r\#n--graphql"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 108\#r\#n\#r\#n{"payload":{"data":null,"errors":[{"message":"counter failed at 2","extensions":{"code":"STREAM_FAILED"}}]}}\#r\#n--graphql"#,
      #"\#r\#n--graphql--\#r\#n"#,
    ])

  static let multipartSubscriptionValidationError = Response(
    contentType: #"multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json"#,
    chunks: [
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 2\#r\#n\#r\#n{}\#r\#n--graphql"#,
      #"\#r\#nContent-Type: application/json; charset=utf-8\#r\#nContent-Length: 137\#r\#n\#r\#n{"payload":{"data":null,"errors":[{"message":"Cannot query field 'nope' on type 'Subscription'.","locations":[{"line":1,"column":16}]}]}}\#r\#n--graphql"#,
      #"\#r\#n--graphql--\#r\#n"#,
    ])
}
