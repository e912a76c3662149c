import Foundation
import Testing

@Suite("Fuzzing corpus", .timeLimit(.minutes(10)))
struct CorpusTests {
  struct Sample: Sendable, CustomStringConvertible {
    let target: FuzzTarget
    let file: URL

    var description: String { "\(target)/\(file.lastPathComponent)" }
  }

  static let samples = FuzzTarget.allCases.flatMap { target in
    let folder = Bundle.module.url(forResource: "Corpus/\(target)", withExtension: nil)
    let files = folder.flatMap {
      try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return (files ?? []).sorted { $0.path() < $1.path() }.map { Sample(target: target, file: $0) }
  }

  @Test("Every sample in the corpus fulfils the conditions of its target", arguments: samples)
  func corpus(sample: Sample) throws {
    try sample.target.check(Array(Data(contentsOf: sample.file)))
  }

  @Test("Each target has a corpus", arguments: FuzzTarget.allCases)
  func isThere(target: FuzzTarget) {
    #expect(Self.samples.contains { $0.target == target })
  }
}
