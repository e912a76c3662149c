import Testing
import Weir

@Suite("Shapes of generated types")
struct ShapeTests {
  private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws
    -> Value
  {
    try JSON(parsing: text).decode(type)
  }

  @Test("Lists may have null elements and other lists in them (G1)")
  func lists() throws {
    let text =
      #"{"post":null,"matrix":[[1,null],[]],"grid":[[{"id":"1"}],null],"holes":[null,{"title":"T"}],"data":[]}"#
    let data: Fields.Data = try decode(text)
    #expect(data.matrix == [[1, nil], []])
    #expect(data.grid?.map { $0?.map(\.id) } == [["1"], nil])
    #expect(data.holes?.map { $0?.title } == [nil, "T"])
    #expect(try decode(String(decoding: JSON.encode(data), as: UTF8.self)) == data)
    #expect(throws: JSONDecodingError.self) {
      try decode(#"{"grid":[[null]],"data":[]}"#, as: Fields.Data.self)
    }
  }

  @Test("What is selected under a condition is nil if it is not there, and is not written (G3)")
  func conditions() throws {
    let text =
      #"{"post":{"__typename":"Post","title":"T"},"search":[{"__typename":"Post"},{"__typename":"Author"}]}"#
    let data: Conditions.Data = try decode(text)
    #expect(data.post?.id == nil && data.post?.author == nil && data.post?.postRow == nil)
    #expect(data.search.map(\.on) == [.other, .other])
    #expect(data.search.map(\.asNamed) == [nil, nil])
    let written = try JSON.encode(data.post)
    #expect(String(decoding: written, as: UTF8.self) == #"{"__typename":"Post","title":"T"}"#)
  }

  @Test("A conditional part is there if all its keys are, at any depth (G3)")
  func depth() throws {
    let found: Conditions.Data.Search = try decode(
      #"{"__typename":"Post","title":"T","author":{"name":"Ann"}}"#)
    #expect(found.asPost?.author?.name == "Ann")
    let partial: Conditions.Data.Search = try decode(
      #"{"__typename":"Post","title":"T","author":{"id":"1"}}"#)
    #expect(partial.asPost == nil)
    let null: Conditions.Data.Search = try decode(
      #"{"__typename":"Post","title":"T","author":null}"#)
    #expect(null.asPost?.title == "T")
    #expect(throws: JSONDecodingError.self) {
      try decode(
        #"{"__typename":"Post","title":"T","author":{"name":1}}"#, as: Conditions.Data.Search.self)
    }
  }

  @Test("Fields of one key are one property, with their selection sets united (G1)")
  func merging() throws {
    let text =
      #"{"post":{"id":"1","title":"T","likes":3,"rating":4.5,"author":{"id":"a","name":"Ann","posts":[]}}}"#
    let data: Merging.Data = try decode(text)
    #expect(data.post?.likes == 3 && data.post?.title == "T" && data.post?.rating == 4.5)
    #expect(data.post?.author?.name == "Ann" && data.post?.author?.posts == [])
    let short: Merging.Data = try decode(
      #"{"post":{"id":"1","title":"T","likes":3,"author":{"id":"a","name":"Ann"}}}"#)
    #expect(short.post?.rating == nil && short.post?.author?.posts == nil)
  }

  @Test("Parts within parts, and fragments on interfaces and unions (G2)")
  func abstract() throws {
    let text = """
      {"node": {"__typename":"Author","id":"a","name":"Ann","posts":[
        {"__typename":"Post","id":"1","title":"T","genre":"OLD","published":null,"likes":2}]},
       "search":[{"__typename":"Tag","name":"swift","parent":null}]}
      """
    let data: Abstract.Data = try decode(text)
    let node = try #require(data.node)
    #expect(node.nodeID.id == "a" && node.postRow == nil)
    #expect(node.asNamed?.asAuthor?.posts.map(\.title) == ["T"])
    #expect(node.asAuthor?.posts.map(\.likes) == [2])
    #expect(data.search[0].tagCard?.name == "swift" && data.search[0].asNode == nil)
    #expect(try decode(String(decoding: JSON.encode(data), as: UTF8.self)) == data)
  }

  @Test("A fragment on the query's type (G1)")
  func root() throws {
    let text = #"{"posts":[],"matrix":null}"#
    let data: RootFragment.Data = try decode(text)
    #expect(data.shelf.posts == [])
    #expect(
      String(decoding: try JSON.encode(data), as: UTF8.self) == #"{"matrix":null,"posts":[]}"#)
  }
}
