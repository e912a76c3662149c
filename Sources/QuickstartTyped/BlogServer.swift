import Weir
import WeirLocalServer

/// The data of the embedded server.
private actor Archive {
  struct Post: Codable {
    let id: String
    var title: String
    var kind: String
  }

  private(set) var all = [
    Post(id: "1", title: "Hello", kind: "ESSAY"),
    Post(id: "2", title: "Exchanges", kind: "RELEASE_NOTE"),
  ]

  func rename(_ id: String, to title: String) -> Post? {
    guard let position = all.firstIndex(where: { $0.id == id }) else { return nil }
    all[position].title = title
    return all[position]
  }
}

/// Makes a server within this process, from the schema that the types are generated from.
func blogServer() throws -> LocalServer {
  let archive = Archive()
  let schema = String(decoding: PackageResources.schema_graphqls, as: UTF8.self)
  let server = try LocalServer(schema: schema) {
    $0.query("posts") { _ in await archive.all }
    $0.mutation("rename") { request in
      try await archive.rename(request.argument("id"), to: request.argument("title"))
    }
  }
  server.latency = .milliseconds(300)
  return server
}
