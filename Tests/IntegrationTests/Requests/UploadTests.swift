import Foundation
import TestSupport
import Testing
import Weir

@Suite("Uploads to a real server", .serialized, .timeLimit(.minutes(10)))
struct UploadTests {
  private struct Attachment: Encodable, Sendable {
    var note: String
    var file: Upload?
    var extra: [Upload] = []
  }
  private struct Variables: Encodable, Sendable {
    var input: Attachment
  }
  private struct Attached: Decodable, Sendable {
    struct File: Decodable, Sendable {
      var filename: String
      var contentType: String?
      var size: Int
      var sha256: String
    }
    var attach: [File]
  }

  private let attach = Mutation<Attached, Variables>(
    """
    mutation Attach($input: AttachInput!) {
      attach(input: $input) { filename contentType size sha256 }
    }
    """)

  private func client(_ space: Space, _ sender: Sender) -> GraphQLClient {
    GraphQLClient([.dedup, .documentCache, .fetch(space.graphQL, sender.configuration)])
  }

  private func digest(_ bytes: [UInt8]) -> String { SHA256Digest.hexadecimal(of: bytes) }

  /// A file of random bytes, created for one test and deleted with this value.
  private struct RandomFile: ~Copyable {
    let url = FileManager.default.temporaryDirectory.appending(
      path: "weir-test-\(UUID().uuidString)")
    let bytes: [UInt8]

    init(count: Int) throws {
      var state = UInt64(count)
      bytes = (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
      try Data(bytes).write(to: url)
    }

    deinit {
      try? FileManager.default.removeItem(at: url)
    }
  }

  /// The temporary upload files of this process.
  private var bodyFiles: Set<String> {
    get throws {
      Set(
        try FileManager.default.contentsOfDirectory(
          atPath: FileManager.default.temporaryDirectory.path()
        ).filter { $0.hasPrefix("weir-upload-\(ProcessInfo.processInfo.processIdentifier)-") })
    }
  }

  @Test(
    "Files from disk and memory arrive unchanged: nested, shared, with unusual names (H7)",
    arguments: Sender.allCases)
  func nested(sender: Sender) async throws {
    let space = try await Space()
    let file = try RandomFile(count: 5_000)
    let memory = Upload(bytes: Array("héllo".utf8), filename: "zoë 1.txt", mediaType: "text/plain")
    let disk = Upload(file: file.url, filename: "b.bin")
    let empty = Upload(bytes: [], filename: "empty")
    let result = await client(space, sender).mutate(
      attach, Variables(input: Attachment(note: "n", file: disk, extra: [memory, disk, empty])))
    #expect(result.error == nil)
    let files = try #require(result.data?.attach)
    #expect(files.map(\.filename) == ["b.bin", "zoë 1.txt", "b.bin", "empty"])
    #expect(files.map(\.size) == [5_000, 6, 5_000, 0])
    #expect(
      files.map(\.contentType) == [
        "application/octet-stream", "text/plain", "application/octet-stream",
        "application/octet-stream",
      ])
    let known = digest(file.bytes)
    #expect(files.map(\.sha256) == [known, digest(Array("héllo".utf8)), known, digest([])])
    #expect(try await space.stats().operations == ["Attach": 1])
  }

  @Test(
    "Files of any size arrive complete, and their copies on disk are deleted (H7)",
    arguments: Sender.allCases, [0, 1, 65_000, 65_536, 70_000, 1_000_000])
  func sizes(sender: Sender, count: Int) async throws {
    let space = try await Space()
    let before = try bodyFiles
    let file = try RandomFile(count: count)
    let query = GraphQLOperation(
      "query Digest($f: Upload!) { digest(file: $f) }", uploads: ["f": Upload(file: file.url)])
    var configuration = FetchConfiguration.patient
    configuration.transport = sender.transport()
    let client = GraphQLClient([.dedup, .documentCache, .fetch(space.graphQL, configuration)])
    for outcome in [CacheOutcome.miss, .hit] {
      let result = await client.query(query)
      #expect(result.data?["digest"]?.string == digest(file.bytes))
      #expect(result.outcome == outcome)
    }
    try await eventually { try bodyFiles.isSubset(of: before) }
    let stats = try await space.stats()
    #expect(stats.operations == ["Digest": 1])
    // Chunked requests have no length, and some servers refuse them.
    #expect(stats.chunked == 0)
  }

  #if os(Linux)
    @Test("A killed process leaves no copy of an upload on disk (H7)")
    func nameless() async throws {
      let space = try await Space()
      let before = try bodyFiles
      let file = try RandomFile(count: 1_000_000)
      let query = GraphQLOperation(
        "query Digest($f: Upload!) { slow(ms: 600000) digest(file: $f) }",
        uploads: ["f": Upload(file: file.url)])
      let client = GraphQLClient([.fetch(space.graphQL, .patient)])
      let task = Task { await client.query(query) }
      _ = try await space.stats(when: "inFlight", reaches: 1)
      #expect(try bodyFiles.isSubset(of: before))
      task.cancel()
      _ = await task.value
    }
  #endif

  @Test(
    "Sending a large file reports progress to the end (H7)", arguments: Sender.allCases)
  func large(sender: Sender) async throws {
    try await send(96 << 20, over: sender)
  }

  #if os(Linux)
    @Test(
      "Sending a large file takes bounded memory (H7)",
      .enabled(if: Stress.factor >= 1, "Most memory would be the sanitizer's."),
      arguments: Sender.allCases)
    func memory(sender: Sender) async throws {
      // In a process of its own, because other tests use memory, too.
      await #expect(processExitsWith: .success) { [sender] in
        let tests = UploadTests()
        try await tests.send(1 << 20, over: sender)
        let before = try #require(tests.peakMemory)
        try await tests.send(96 << 20, over: sender)
        let grown = try #require(tests.peakMemory) - before
        #expect(grown < 48 << 20, "\(grown) bytes more")
      }
    }

    /// The peak memory of this process.
    private var peakMemory: Int? {
      let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      return line?.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 }
    }
  #endif

  private func send(_ count: Int, over sender: Sender) async throws {
    let space = try await Space()
    let url = FileManager.default.temporaryDirectory.appending(
      path: "weir-test-\(UUID().uuidString)")
    #expect(FileManager.default.createFile(atPath: url.path(), contents: nil))
    defer { try? FileManager.default.removeItem(at: url) }
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: UInt64(count))
    try handle.close()
    let progress = UploadProgress()
    var context = OperationContext()
    context.uploadProgress = progress
    async let sending = client(space, sender).mutate(
      attach, Variables(input: Attachment(note: "n", file: Upload(file: url))), context: context)
    var steps: [UploadProgress.Step] = []
    for await step in progress { steps.append(step) }
    let result = await sending
    #expect(result.data?.attach.map(\.size) == [count])
    #expect(steps.count > 1)
    #expect(steps.map(\.sentBytes) == steps.map(\.sentBytes).sorted())
    let last = try #require(steps.last)
    #expect(last.sentBytes == last.totalBytes)
    #expect((count..<count + 2_000).contains(last.totalBytes))
  }

  @Test("A missing file is an error before anything is sent (H7)", arguments: Sender.allCases)
  func missing(sender: Sender) async throws {
    let space = try await Space()
    let missing = Upload(file: URL(filePath: "/nowhere/at all"))
    let result = await client(space, sender).mutate(
      attach, Variables(input: Attachment(note: "n", file: missing)))
    #expect(result.error?.code == .upload)
    #expect((result.error?.underlying as? UploadError)?.reason == .missing)
    #expect(try await space.stats().total == 0)
  }

  @Test(
    "Cancelling an upload at any moment closes its connection and leaves no file (H9)",
    arguments: Sender.allCases)
  func cancel(sender: Sender) async throws {
    let space = try await Space()
    let before = try bodyFiles
    let file = try RandomFile(count: 1_000_000)
    let url = file.url
    let query = GraphQLOperation(
      "query Digest($f: Upload!, $ms: Int!) { slow(ms: $ms) digest(file: $f) }",
      variables: ["ms": 60_000], uploads: ["f": Upload(file: url)])
    let client = client(space, sender)
    for number in 0..<24 {
      let task = Task { await client.query(query) }
      for _ in 0..<(number * number) { await Task.yield() }
      if number == 23 { _ = try await space.stats(when: "inFlight", reaches: 1) }
      task.cancel()
      #expect(await task.value.error == .cancelled)
    }
    try await eventually { try bodyFiles.isSubset(of: before) }
    try await eventually { try await space.stats().inFlight == 0 }
    #expect(try await space.stats().closedEarly > 0)
  }

  @Test("Many concurrent uploads all arrive complete", arguments: Sender.allCases)
  func concurrent(sender: Sender) async throws {
    let space = try await Space()
    let file = try RandomFile(count: 300_000)
    let (url, known) = (file.url, digest(file.bytes))
    let client = client(space, sender)
    let digests = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<24 {
        group.addTask {
          let query = GraphQLOperation(
            "query Digest($f: Upload!) { digest(file: $f) }", uploads: ["f": Upload(file: url)])
          return await client.query(query).data?["digest"]?.string
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(digests == Array(repeating: known, count: 24))
  }

  @Test("An upload may last longer than the time limit", arguments: Sender.allCases)
  func slowReader(sender: Sender) async throws {
    let space = try await Space()
    var configuration = sender.configuration
    configuration.timeout = .seconds(1)
    let client = GraphQLClient([.fetch(space.other("slow-reader"), configuration)])
    // The system takes some of it at once; the rest waits for the server for 1.6 seconds in all.
    let file = Upload(bytes: [UInt8](repeating: 0, count: 32 << 20), filename: "zeros")
    let query = GraphQLOperation(
      "query Digest($f: Upload!) { digest(file: $f) }", uploads: ["f": file])
    for _ in 0..<9 {
      let begin = ContinuousClock.now
      let result = await client.query(query)
      // A busy machine may let nothing run for as long as the limit.
      if (result.error?.underlying as? HTTPTransportError)?.code == .timedOut { continue }
      #expect(result.error == nil)
      #expect(ContinuousClock.now - begin > .seconds(1))
      return
    }
    Issue.record("The upload timed out nine times.")
  }

  @Test("Timeouts limit the silence after an upload", arguments: Sender.allCases)
  func timeouts(sender: Sender) async throws {
    let space = try await Space()
    let file = try RandomFile(count: 100_000)
    var configuration = sender.configuration
    configuration.timeout = .milliseconds(400)
    let query = GraphQLOperation(
      "query Digest($f: Upload!) { slow(ms: 600000) digest(file: $f) }",
      uploads: ["f": Upload(file: file.url)])
    let client = GraphQLClient([.fetch(space.graphQL, configuration)])
    var count = 0
    // On a busy machine the time may be over before the request has reached the server.
    repeat {
      let result = await client.query(query)
      #expect((result.error?.underlying as? HTTPTransportError)?.code == .timedOut)
      count += 1
    } while try await space.stats().total == 0
    #expect(try await space.stats(when: "closedEarly", reaches: 1).total <= count)
  }
}
