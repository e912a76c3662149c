import Testing

/// A text, and whether a parser must accept it by RFC 8259.
struct ConformanceCase: CustomTestStringConvertible, Sendable {
  /// `y` must be accepted and `n` must be rejected. The standard leaves `a` and `r` open: this
  /// parser accepts `a` and rejects `r`.
  var verdict: Character
  var bytes: [UInt8]
  var notation: String

  var isAccepted: Bool { verdict == "y" || verdict == "a" }
  var testDescription: String { "\(verdict) \(notation)" }

  /// Parses a verdict, a space, and the text, in which `<hh>` is a byte and `<hh*n>` is n bytes.
  init(_ line: Substring) {
    verdict = line.first ?? "?"
    notation = String(line.dropFirst(2))
    bytes = []
    var rest = Array(notation.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
        bytes.append(byte)
        continue
      }
      let parts = String(decoding: rest[..<end], as: UTF8.self).split(separator: "*")
      let count = parts.count > 1 ? Int(parts[1]) ?? 0 : 1
      bytes += [UInt8](repeating: UInt8(parts[0], radix: 16) ?? 0, count: count)
      rest = rest[(end + 1)...]
    }
  }

  static let all = (structure + numbers + strings + objects)
    .split(separator: "\n").map { ConformanceCase($0) }

  private static let structure = #"""
    y []
    y [[]   ]
    y [""]
    y ["a"]
    y [false]
    y [null, 1, "1", {}]
    y [null]
    y [1<0a>]
    y  [1]
    y [1,null,null,null,2]
    y [2] 
    y <0a><0d><09> [ 1 , 2 ] <0a>
    y [true]
    y "asd"
    y false
    y 42
    y -0.1
    y null
    y true
    y ""
    y {}
    y ["a"]<0a>
    y [<5b*400><5d*400>]
    y  [] 
    a <5b*500><5d*500>
    a <5b*512><5d*512>
    r <5b*513><5d*513>
    n <5b*100000>
    n <5b*511><5d*512>
    n <7b*3>
    n [1 true]
    n [a<e5>]
    n ["": 1]
    n [""],
    n [,1]
    n [1,,2]
    n ["x",,]
    n ["x"]]
    n ["",]
    n ["x"
    n [x
    n [3[4]]
    n [<ff>]
    n [1:2]
    n [,]
    n [-]
    n [   , ""]
    n ["a",<0a>4<0a>,1,
    n [1,]
    n [1,<0a>1<0a>,1
    n ["<0b>a"\f]
    n [*]
    n [""
    n [1,1
    n [1,
    n [{}
    n [fals]
    n [nul]
    n [tru]
    n [True]
    n [NULL]
    n [truer]
    n [nulll]
    n [falsee]
    n 123<00>
    n ["a<00>a"]
    n <ef><bb><bf>{}
    n <ef><bb><bf>
    n <ef><bb>{}
    n <fe><ff>
    n <ff><fe>[<00>]<00>
    n <00>[<00>]
    n <e5>
    n [<5b*50000>
    n <7b><22><22><3a><7b><22><22><3a><5b*600>
    n [\u000A""]
    n ["asd]
    n "
    n '
    n 'a'
    n ]
    n }
    n {]
    n [}
    n [1}
    n {"a":1]
    n <2a>
    n {"a":"b"}#{}
    n <e2><81><a0>
    n [<e2><81><a0>]
    n <2e>
    n <3c>.>
    n [<3c>null>]
    n []a
    n [1]x
    n [][]
    n "a" "b"
    n 1 2
    n {}}
    n {"":
    n {"a": true} "x"
    n {"a":/*comment*/"b"}
    n {"a":"b"}/**/
    n {"a":"b"}/**//
    n {"a":"b"}//
    n {"a":"b"}/
    n // x
    n [<0c>]
    n [1<00>]
    n [1]<00>
    n <20>
    n <0a>
    n <c2><a0>[]
    n [<c2><85>]
    n {"a" b}
    n {,
    n {"a
    n {"a"
    n {"a":
    n {"a":"
    n {"a":"a
    n [<22>a
    n aå
    n {[: "x"}
    n {"asd":"asd"
    n [open
    n ["<5c>
    n []<e5>
    n abc
    n t
    n tru
    n n
    n -
    n nan
    n undefined
    """#
}
