import Testing

@testable import Weir

@Suite("Incremental delivery")
struct IncrementalMergeTests {
  /// Payloads, and the state after each: the data, all error messages, and whether more follows.
  struct Run: Sendable, CustomStringConvertible {
    let description: String
    let steps: [(payload: String, data: String, errors: [String], hasNext: Bool?)]

    init(_ description: String, _ steps: (String, String, [String], Bool?)...) {
      self.description = description
      self.steps = steps
    }
  }

  static let runs = [
    Run(
      "2023: ids, sub-paths, completed",
      (
        #"{"data":{"a":{"x":1},"l":[{"b":{}}]},"pending":[{"id":"0","path":["a"]},{"id":"1","path":["l",0],"label":"z"}],"hasNext":true}"#,
        #"{"a":{"x":1},"l":[{"b":{}}]}"#, [], true
      ),
      (
        #"{"incremental":[{"id":"1","subPath":["b"],"data":{"c":2}},{"id":"0","data":{"y":[1]}}],"completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"a":{"x":1,"y":[1]},"l":[{"b":{"c":2}}]}"#, [], true
      ),
      (
        #"{"incremental":[{"id":"1","data":{"d":null},"errors":[{"message":"d"}]}],"completed":[{"id":"1","errors":[{"message":"rest"}]}],"hasNext":false}"#,
        #"{"a":{"x":1,"y":[1]},"l":[{"b":{"c":2},"d":null}]}"#, ["d", "rest"], false
      )),
    Run(
      "2023: items at the end of their list, nested pending, the id before the path",
      (
        #"{"data":{"l":[0]},"pending":[{"id":"7","path":["l"]}],"hasNext":true,"extensions":null}"#,
        #"{"l":[0]}"#, [], true
      ),
      (
        #"{"incremental":[{"id":"7","items":[1,[2]],"path":["x"],"label":null}],"hasNext":true}"#,
        #"{"l":[0,1,[2]]}"#, [], true
      ),
      (
        #"{"incremental":[{"id":"7","items":[{"o":{}}]}],"pending":[{"id":"8","path":["l",3]}],"hasNext":true}"#,
        #"{"l":[0,1,[2],{"o":{}}]}"#, [], true
      ),
      (
        #"{"incremental":[{"id":"8","data":{"o":{"p":"é\n"}}}],"completed":[{"id":"8"},{"id":"7","errors":[{"message":"stream"}]}],"hasNext":false}"#,
        #"{"l":[0,1,[2],{"o":{"p":"é\n"}}]}"#, ["stream"], false
      )),
    Run(
      "2022: paths, items from an index, errors without data",
      (#"{"data":{"a":{},"l":[]},"hasNext":true}"#, #"{"a":{},"l":[]}"#, [], true),
      (
        #"{"incremental":[{"path":["a"],"data":{"b":{"c":1}}},{"path":["l",0],"items":[1,2]}],"hasNext":true}"#,
        #"{"a":{"b":{"c":1}},"l":[1,2]}"#, [], true
      ),
      (
        #"{"incremental":[{"path":["l",2],"items":null,"errors":[{"message":"i"}]},{"path":["a","b"],"data":null,"errors":[{"message":"d"}]}],"hasNext":true}"#,
        #"{"a":{"b":{"c":1}},"l":[1,2]}"#, ["i", "d"], true
      ),
      (
        #"{"incremental":[{"path":["l",1],"items":[{"n":3}]},{"path":["a"],"data":{"b":{"d":2}}}]}"#,
        #"{"a":{"b":{"c":1,"d":2}},"l":[1,{"n":3}]}"#, ["i", "d"], true
      ),
      (
        #"{"incremental":[{"path":[],"data":{"z":true}}],"hasNext":true}"#,
        #"{"a":{"b":{"c":1,"d":2}},"l":[1,{"n":3}],"z":true}"#, ["i", "d"], true
      ),
      (
        #"{"hasNext":false}"#, #"{"a":{"b":{"c":1,"d":2}},"l":[1,{"n":3}],"z":true}"#, ["i", "d"],
        false
      )),
    Run(
      "2022: lists that lead to deferred fields, also within lists",
      (
        #"{"data":{"a":{"l":[{"x":1},null,[{"x":2}]]}},"hasNext":true}"#,
        #"{"a":{"l":[{"x":1},null,[{"x":2}]]}}"#, [], true
      ),
      (
        #"{"incremental":[{"path":["a"],"data":{"l":[{"y":1},null,[{"y":2}],3]}}],"hasNext":false}"#,
        #"{"a":{"l":[{"x":1,"y":1},null,[{"x":2,"y":2}],3]}}"#, [], false
      )),
    Run(
      "before 2022: one patch per payload",
      (#"{"data":{"a":{},"l":[1]},"hasNext":true}"#, #"{"a":{},"l":[1]}"#, [], true),
      (
        #"{"path":["a"],"data":{"b":1},"label":"x","hasNext":true}"#, #"{"a":{"b":1},"l":[1]}"#, [],
        true
      ),
      (
        #"{"path":["l",1],"items":[2],"errors":[{"message":"e"}]}"#, #"{"a":{"b":1},"l":[1,2]}"#,
        ["e"], true
      ),
      (
        #"{"path":["a"],"data":{"b":null,"a":{}},"hasNext":false}"#,
        #"{"a":{"b":null,"a":{}},"l":[1,2]}"#, ["e"], false
      )),
    Run(
      "2020: one item per payload, also null after an error",
      (#"{"data":{"l":[4],"m":[]},"hasNext":true}"#, #"{"l":[4],"m":[]}"#, [], true),
      (#"{"data":3,"path":["l",1],"hasNext":true}"#, #"{"l":[4,3],"m":[]}"#, [], true),
      (
        #"{"data":{"n":{}},"path":["m",0],"hasNext":true}"#, #"{"l":[4,3],"m":[{"n":{}}]}"#, [],
        true
      ),
      (
        #"{"data":{"o":1},"path":["m",0,"n"],"hasNext":true}"#, #"{"l":[4,3],"m":[{"n":{"o":1}}]}"#,
        [],
        true
      ),
      (
        #"{"data":{"p":1},"path":["m",0],"hasNext":true}"#,
        #"{"l":[4,3],"m":[{"n":{"o":1},"p":1}]}"#, [], true
      ),
      (
        #"{"data":null,"path":["l",2],"errors":[{"message":"stop"}],"hasNext":true}"#,
        #"{"l":[4,3,null],"m":[{"n":{"o":1},"p":1}]}"#, ["stop"], true
      ),
      (
        #"{"hasNext":false}"#, #"{"l":[4,3,null],"m":[{"n":{"o":1},"p":1}]}"#, ["stop"], false
      )),
    Run(
      "an initial payload with patches, and null where lists could be",
      (
        #"{"data":{"a":{}},"pending":[{"id":"0","path":["a"]}],"incremental":[{"id":"0","data":{"b":1}}],"completed":null,"path":null,"errors":null,"hasNext":true}"#,
        #"{"a":{"b":1}}"#, [], true
      ),
      (#"{"pending":null,"incremental":null,"hasNext":false}"#, #"{"a":{"b":1}}"#, [], false)),
    Run(
      "events replace one another, with their errors",
      (#"{"data":{"n":1},"errors":[{"message":"a"}]}"#, #"{"n":1}"#, ["a"], nil),
      (#"{"data":{"n":2}}"#, #"{"n":2}"#, [], nil),
      (#"{"errors":[{"message":"b"}]}"#, "none", ["b"], nil),
      (#"{"data":null,"errors":[{"message":"c"}]}"#, "none", ["c"], nil),
      (#"{"data":{"n":3},"errors":[]}"#, #"{"n":3}"#, [], nil)),
    Run(
      "an event with a deferred part, then the next event",
      (
        #"{"data":{"n":{}},"pending":[{"id":"0","path":["n"]}],"hasNext":true}"#, #"{"n":{}}"#, [],
        true
      ),
      (
        #"{"incremental":[{"id":"0","data":{"m":1}}],"completed":[{"id":"0"}],"hasNext":false}"#,
        #"{"n":{"m":1}}"#, [], false
      ),
      (#"{"data":{"n":{"m":2}}}"#, #"{"n":{"m":2}}"#, [], nil)),
    Run(
      "escaped keys and texts survive",
      (
        #"{"data":{"a":{"k\"\u00e9":"\ud83d\ude80"}},"hasNext":true}"#, #"{"a":{"k\"é":"🚀"}}"#, [],
        true
      ),
      (
        #"{"incremental":[{"path":["a"],"data":{"k\"\u00e9":1e2}}],"hasNext":false}"#,
        #"{"a":{"k\"é":1e2}}"#, [], false
      )),
  ]

  @Test("Incremental payloads are merged (H4)", arguments: runs)
  func payloads(run: Run) throws {
    var merge = IncrementalMerge()
    for (number, step) in run.steps.enumerated() {
      try merge.append(JSON(parsing: step.payload))
      let data = try merge.takeData()
      let expected = step.data == "none" ? nil : try JSON(parsing: step.data)
      #expect(data == expected, "step \(number)")
      #expect(merge.errors.map(\.message) == step.errors, "step \(number)")
      #expect(merge.hasNext == step.hasNext, "step \(number)")
    }
  }

  @Test(
    "A payload that does not fit is a typed error, and earlier data stays (H4)",
    arguments: [
      (#"{"incremental":[{"id":"9","data":{"b":1}}]}"#, "unknownID"),
      (#"{"incremental":[{"id":"9","items":[1]}]}"#, "unknownID"),
      (#"{"incremental":[{"data":{"b":1}}]}"#, "badPayload"),
      (#"{"incremental":[{"path":["x"],"data":{"b":1}}]}"#, "badPath"),
      (#"{"incremental":[{"path":["a","x"],"data":{"b":1}}]}"#, "badPath"),
      (#"{"incremental":[{"path":["n"],"data":{"b":1}}]}"#, "badPath"),
      (#"{"incremental":[{"path":["n","m"],"data":{"b":1}}]}"#, "badPath"),
      (#"{"incremental":[{"path":["l"],"data":{"b":1}}]}"#, "badPath"),
      (#"{"incremental":[{"path":["l",5],"data":{"b":1}}]}"#, "badPath"),
      (#"{"incremental":[{"path":["l",-1],"data":{"b":1}}]}"#, "badPayload"),
      (#"{"incremental":[{"path":["l",2],"items":[1]}]}"#, "badPath"),
      (#"{"incremental":[{"path":["l"],"items":[1]}]}"#, "badPath"),
      (#"{"incremental":[{"path":["a",0],"items":[1]}]}"#, "badPath"),
      (#"{"incremental":[{"path":["l",99999999999999999999],"items":[1]}]}"#, "badPayload"),
      (#"{"incremental":[{"path":["a"],"data":[1]}]}"#, "badPath"),
      (#"{"pending":[{"id":"1"}]}"#, "badPayload"), (#"{"pending":[7]}"#, "badPayload"),
      (#"{"data":7}"#, "badPayload"), ("[]", "badPayload"), ("7", "badPayload"),
    ])
  func errors(payload: String, code: String) throws {
    var merge = IncrementalMerge()
    let first = #"{"data":{"a":{},"n":null,"l":[1]},"hasNext":true}"#
    try merge.append(JSON(parsing: first))
    #expect {
      try merge.append(JSON(parsing: payload))
    } throws: { ($0 as? StreamFormatError)?.code.description == code }
    #expect(try merge.takeData() == JSON(parsing: first)["data"])
  }

  @Test(
    "A first payload without a response is an error (H4)",
    arguments: ["{\"hasNext\":false}", "{\"x\":1}", "[]"])
  func noResponse(payload: String) {
    var merge = IncrementalMerge()
    #expect(throws: StreamFormatError.self) { try merge.append(JSON(parsing: payload)) }
  }

  @Test("Extensions of all payloads are merged (H4)")
  func extensions() throws {
    var merge = IncrementalMerge()
    for payload in [
      #"{"data":{},"extensions":{"a":1},"hasNext":true}"#, #"{"extensions":null,"hasNext":true}"#,
      #"{"incremental":[{"path":[],"data":{},"extensions":{"b":2}}],"extensions":{"a":3},"hasNext":false}"#,
    ] { try merge.append(JSON(parsing: payload)) }
    #expect(try merge.takeExtensions()?.value == ["a": 3, "b": 2])
  }

  @Test("Patches that nest ever deeper are an error, not a stack overflow (H4)")
  func depth() throws {
    var merge = IncrementalMerge()
    try merge.append(JSON(parsing: #"{"data":{"a":{}},"hasNext":true}"#))
    var path = #""a""#
    #expect(throws: StreamFormatError.self) {
      for _ in 0..<600 {
        try merge.append(
          JSON(parsing: #"{"incremental":[{"path":[\#(path)],"data":{"a":{}}}],"hasNext":true}"#))
        path += #","a""#
      }
    }
  }

  @Test("A long list that streams item by item is merged in place (H4)")
  func manyItems() throws {
    var merge = IncrementalMerge()
    try merge.append(
      JSON(parsing: #"{"data":{"l":[]},"pending":[{"id":"0","path":["l"]}],"hasNext":true}"#))
    var written = 0
    for number in 0..<5_000 {
      try merge.append(JSON(parsing: #"{"incremental":[{"id":"0","items":[{"id":\#(number)}]}]}"#))
      guard !merge.isWorthWaiting else { continue }
      written += try merge.takeData()?.document.bytes.count ?? 0
    }
    let all = try #require(try merge.takeData())
    #expect(all["l"]?.count == 5_000)
    #expect(all["l"]?[4_999]?["id"]?.int == 4_999)
    // Small data is written each time; later each write is at least an eighth larger than the one
    // before. Writing all data each time would take 150 MB.
    #expect(written < 24 << 20)
    #expect(written > 0)
  }
}
