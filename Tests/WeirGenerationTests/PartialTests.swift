import Testing
import Weir
import WeirTesting

// Each of these was found by `.ci/random-documents`.
@Suite("Parts that a response leaves out", .timeLimit(.minutes(10)))
struct PartialTests {
  private let without = #"""
    {"node":{"id":"1","__typename":"Post"},
     "post":{"author":{"id":"a","__typename":"Author"},"related":[{"__typename":"Post"}],"__typename":"Post"},
     "query":{"posts":[],"__typename":"Query"},"_":1}
    """#

  private let full = #"""
    {"node":{"id":"1","author":{"name":"Ann","__typename":"Author"},"kind":"Post","__typename":"Post"},
     "post":{"author":{"id":"a","name":"Ann","kind":"Author","__typename":"Author"},
       "related":[{"title":"T","__typename":"Post"}],"kind":"Post","__typename":"Post"},
     "query":{"posts":[],"__typename":"Query"},"_":1,"__typename":"Query"}
    """#

  @Test(
    "A conditional fragment is nil if what it selects of the object's type is missing, at any depth (G3)"
  )
  func fragment() throws {
    let data: Partial.Data = try JSON(parsing: without).decode()
    #expect(data.node?.id == "1" && data.node?.full == nil && data.count == nil)
    let all: Partial.Data = try JSON(parsing: full).decode()
    #expect(all.node?.full?.asPost?.author?.name == "Ann" && all.count?.__ == 1)
    // An author has no `author`, but a name.
    let author: Full? = try JSON(
      parsing:
        #"{"node":{"id":"1","name":"Ann","__typename":"Author"},"post":null,"query":{"posts":[]}}"#
    ).decode(Partial.Data.self).node?.full
    #expect(author?.asNamed?.name == "Ann" && author?.asPost == nil)
  }

  @Test("A conditional field is nil if only another part selects it (G3)")
  func field() throws {
    let data: Partial.Data = try JSON(parsing: without).decode()
    #expect(data.post?.author?.id == "a" && data.post?.details.author == nil)
    #expect(data.post?.details.related == nil)
    let all: Partial.Data = try JSON(parsing: full).decode()
    #expect(all.post?.details.author?.name == "Ann")
    #expect(all.post?.details.related?.map(\.title) == ["T"])
    let wrong = full.replacing(#""related":[{"#, with: #""related":[1,{"#)
    let error = #expect(throws: JSONDecodingError.self) {
      try JSON(parsing: wrong).decode(Partial.Data.self)
    }
    #expect(error?.path.map(\.description) == ["post", "related", "[0]"])
  }

  @Test("An alias of the type's name tells whether a response has a part (G3)")
  func alias() throws {
    let data: Partial.Data = try JSON(parsing: without).decode()
    #expect(data.post?.postKind == nil && data.node?.asPost == nil)
    let all: Partial.Data = try JSON(parsing: full).decode()
    #expect(all.post?.postKind?.kind == "Post" && all.node?.asPost?.kind == "Post")
    #expect(all.post?.postKind?.author?.kind == "Author")
    // The fragment is there, but not the selections of its field.
    let some = full.replacing(#""kind":"Author","#, with: "")
    let partial: Partial.Data = try JSON(parsing: some).decode()
    #expect(partial.post?.postKind?.kind == "Post" && partial.post?.postKind?.author == nil)
  }

  @Test("Data is written as it was read, with the names of root types that were selected (G5)")
  func written() throws {
    let all: Partial.Data = try JSON(parsing: full).decode()
    #expect(try JSONValue(encoding: all) == JSON(parsing: full).value)
    let text =
      #"{"_":1,"class":"_1","__typename":"Query","query":{"__typename":"Query"}}"#
    let keywords: Keywords.Data = try JSON(parsing: text).decode()
    #expect(keywords.class == ._1 && keywords.__ == 1)
    #expect(try JSONValue(encoding: keywords) == JSON(parsing: text).value)
  }

  @Test("A conditional part of the root that repeats a fragment is read as it was written (G3)")
  func unmaskedRoot() throws {
    let data: RootUnmask.Data = try JSON(parsing: #"{"_":1,"__typename":"Query"}"#).decode()
    #expect(data.total?.__ == 1)
    let written = try JSON(parsing: JSON.encode(data))
    #expect(try written.decode(RootUnmask.Data.self) == data)
    #expect(try JSON(parsing: "{}").decode(RootUnmask.Data.self).total == nil)
  }

  @Test("Keywords and names without letters are names of types, cases and variables (G1)")
  func keywords() async throws {
    #expect(Blog.class.allCases.map(\.rawValue) == ["_", "_1", "_b", "init"])
    let query = Keywords(Data_: Blog.class(rawValue: "_b"), __: .init(__: 1, class: .__))
    #expect(
      String(decoding: query.operation().variables, as: UTF8.self)
        == #"{"Data":"_b","_":{"_":1,"class":"_"}}"#)
    let server = try LocalServer(
      schema: Fixture.schemaText(), filling: .samples(seed: 1))
    let client = GraphQLClient([.fetch(from: server)])
    let data = try await client.query(query).get()
    #expect(data.class != nil)
    // A fragment on an interface of the root's type knows the type.
    #expect(data.count.__typename == "Query" && data.count.__ == data.__)
  }
}
