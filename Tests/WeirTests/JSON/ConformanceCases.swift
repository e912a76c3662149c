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

  private static let numbers = #"""
    y [123e65]
    y [0e+1]
    y [0e1]
    y [ 4]
    y [-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]
    y [20e1]
    y [-0]
    y [-123]
    y [-1]
    y [-0.0]
    y [1E22]
    y [1E-2]
    y [1E+2]
    y [123e45]
    y [123.456e78]
    y [1e-2]
    y [1e+2]
    y [123]
    y [123.456789]
    y [0]
    y [0.0]
    y [0.10]
    y [10]
    y [9223372036854775807]
    y [-9223372036854775808]
    y [18446744073709551615]
    y 0
    y 1e0
    a [123.456e-789]
    r [0.4e00669999999999999999999999999999999999999999999999999999999999999999999999]
    r [-1e+9999]
    r [1.5e+9999]
    r [-123123e100000]
    r [123123e100000]
    a [123e-10000000]
    a [-123123123123123123123123123123]
    a [100000000000000000000]
    a [-237462374673276894279832749832423479823246327846]
    a [18446744073709551616]
    a [1.7976931348623157e308]
    r [1.7976931348623159e308]
    r [1e309]
    a [<31><30*308>]
    r [<31><30*309>]
    r [<39*310>]
    a [0.<30*400>1]
    n [++1234]
    n [+1]
    n [+Inf]
    n [-01]
    n [-1.0.]
    n [-2.]
    n [-NaN]
    n [.-1]
    n [.2e-3]
    n [0.1.2]
    n [0.3e+]
    n [0.3e]
    n [0.e1]
    n [0E+]
    n [0E]
    n [0e+]
    n [0e]
    n [1.0e+]
    n [1.0e-]
    n [1.0e]
    n [1 000.0]
    n [1eE2]
    n [2.e+3]
    n [2.e-3]
    n [2.e3]
    n [9.e+]
    n [Inf]
    n [NaN]
    n [<ef><bc><91>]
    n [1+2]
    n [0x1]
    n [0x42]
    n [Infinity]
    n [0e+-1]
    n [-123.123foo]
    n [123<e5>]
    n [1e1<e5>]
    n [0<e5>]
    n [-Infinity]
    n [-foo]
    n [- 1]
    n [-012]
    n [-.123]
    n [-1x]
    n [1ea]
    n [1e<e5>]
    n [1.]
    n [.123]
    n [1.2a-3]
    n [1.8011670033376514H-308]
    n [012]
    n [00]
    n [1_000]
    n [0b1]
    n 1.
    n 1e
    n 1e+
    n -a
    n +
    n 01
    n [1e1.5]
    n [1..2]
    """#

  private static let strings = #"""
    y ["\u0060\u012a\u12AB"]
    y ["\uD801\udc37"]
    y ["\ud83d\ude39\ud83d\udc8d"]
    y ["\"\\\/\b\f\n\r\t"]
    y ["\\u0000"]
    y ["\""]
    y ["a/*b*/c/*d//e"]
    y ["\\a"]
    y ["\\n"]
    y ["\u0012"]
    y ["\uFFFF"]
    y ["asd"]
    y [ "asd"]
    y ["\uDBFF\uDFFF"]
    y ["new\u00A0line"]
    y ["<f4><8f><bf><bf>"]
    y ["<ef><bf><bf>"]
    y ["\u0000"]
    y ["\u002c"]
    y ["<cf><80>"]
    y ["<f0><9b><bf><bf>"]
    y ["asd "]
    y " "
    y ["\uD834\uDd1e"]
    y ["\u0821"]
    y ["\u0123"]
    y ["<e2><80><a8>"]
    y ["<e2><80><a9>"]
    y ["\u0061\u30af\u30EA\u30b9"]
    y ["new\u000Aline"]
    y ["<7f>"]
    y ["\uA66D"]
    y ["\u005C"]
    y ["<e2><8d><82>㈴<e2><8d><82>"]
    y ["\u200B"]
    y ["\u2064"]
    y ["\uFDD0"]
    y ["\uFFFE"]
    y ["\u0022"]
    y ["<ed><9f><bf>"]
    y ["<ee><80><80>"]
    y ["<e0><a0><80>"]
    y ["<c2><80>"]
    y ["a<7f>a"]
    y ["<41*7>é"]
    y ["<41*8>é"]
    y ["<41*100000>"]
    r ["\uDADA"]
    r ["\uD888\u1234"]
    r ["\uD800\n"]
    r ["\uDd1ea"]
    r ["\uD800\uD800\n"]
    r ["\ud800"]
    r ["\ud800abc"]
    r ["\uDd1e\uD834"]
    r ["\uDFAA"]
    r ["<e6><97><a5>ш<fa>"]
    r ["<ff>"]
    r ["<e9>"]
    r ["<81>"]
    r ["<f4><bf><bf><bf>"]
    r ["<c0><af>"]
    r ["<fc><83><bf><bf><bf><bf>"]
    r ["<fc><80><80><80><80><80>"]
    r ["<e0><ff>"]
    r ["<ed><a0><80>"]
    r ["<ed><bf><bf>"]
    r ["<e0><80><af>"]
    r ["<f0><8f><bf><bf>"]
    r ["<f4><90><80><80>"]
    r ["<c2>"]
    r ["<e2><82>"]
    r ["<f0><9f><98>"]
    r ["<c2>a"]
    r ["<e2><82>a"]
    r ["<f0><9f><98>a"]
    r ["<41*8><80>"]
    n ["\uD800\"]
    n ["\uD800\u"]
    n ["\uD800\u1"]
    n ["\uD800\u1x"]
    n [é]
    n ["\<00>"]
    n ["\x00"]
    n ["\\\"]
    n ["\<09>"]
    n ["\🌀"]
    n ["\"]
    n ["\u00A"]
    n ["\uD834\uDd"]
    n ["\uD800\uD800\x"]
    n ["\u<e5>"]
    n ["\a"]
    n ["\uqqqq"]
    n ["\<e5>"]
    n ["\u12<22>4"]
    n ["\u+123"]
    n ["\u 123"]
    n ["\U0041"]
    n [\u0020"asd"]
    n [\n]
    n "<5c>
    n "\u
    n "\u00
    n ['single quote']
    n abc
    n ["\
    n ["new<0a>line"]
    n ["<09>"]
    n ["<00>"]
    n ["<1f>"]
    n ["<41*7><1f>"]
    n ["<41*8><1f>"]
    n ""x
    n ["a" "b"]
    n "\u{41}"
    n "\0"
    n "\v"
    n "\'"
    """#

  private static let objects = #"""
    y {"asd":"sdf", "dfg":"fgh"}
    y {"asd":"sdf"}
    y {"a":"b","a":"c"}
    y {"a":"b","a":"b"}
    y {"":0}
    y {"foo\u0000bar": 42}
    y { "min": -1.0e+28, "max": 1.0e+28 }
    y {"x":[{"id": "aaaa"}], "id": "bbbb"}
    y {"a":[]}
    y {"title":"\u041f\u043e\u043b\u0442\u043e\u0440\u0430" }
    y {<0a>"a": "b"<0a>}
    y {"a" : 1}
    y {"a"<0a>:<0a>1<0a>,<0a>"b":2}
    y [{"a":1},{"a":2},{"b":3},{"a":1,"b":2},{}]
    y [{"aaaaaaaaaaaaaaaa":1},{"aaaaaaaaaaaaaaaa" : 2}]
    n ["x", truth]
    n {[: "x"}<0a>
    n {"x", null}
    n {"x"::"b"}
    n {🇨🇭}
    n {"a":"a" 123}
    n {key: 'value'}
    n {"a" b}
    n {:"b"}
    n {"a" "b"}
    n {"a":
    n {"a"
    n {1:1}
    n {9999E9999:1}
    n {null:null,null:null}
    n {"id":0,,,,,}
    n {'a':0}
    n {"id":0,}
    n {"a":"b"}/**/
    n {"a":"b",,"c":"d"}
    n {a: "b"}
    n {"a":"a
    n { "foo" : "bar", "a" }
    n {"a":"b"}#
    n {"a":1 "b":2}
    n {"a":1;"b":2}
    n {"a"=1}
    n {true:1}
    n {"a":}
    n {"a":,"b":1}
    n {,"a":1}
    n {"\ud800":1}
    n {"<ff>":1}
    n {"<0a>":1}
    n [{"a":1},{"a":2
    n [{"a":1},{"a"
    n [{"a":1},{"a
    n [{"a":1},{"a<22>x1}]
    n [{"a":1},{"a":}]
    n [{"a":1,"b":2},{"a":1,}]
    n [{"a":1,"b":2},{"a":1
    """#
}
