extension ConformanceCase {
  static let objects = #"""
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
    a {"\ud800":1}
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
