public import WeirNormalized

/// What the normalized cache relies on in a `RecordStorage`, as a series of checks to run on your
/// own.
///
/// ```swift
/// let violations = await RecordStorageContract { try MyStorage(empty: true) }.violations()
/// #expect(violations.isEmpty)
/// ```
///
/// With `another`, which makes a second storage on the same medium, it checks as well that what was
/// committed outlives a storage, and that storages tell each other what they change.
public struct RecordStorageContract: Sendable {
  /// A promise that was not kept.
  public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The promise.
    public let rule: String
    /// What happened instead.
    public let finding: String

    /// The rule and what happened instead.
    public var description: String { "\(rule): \(finding)" }
  }

  typealias Storage = any RecordStorage

  let make: @Sendable () throws -> any RecordStorage
  let another: (@Sendable (any RecordStorage) throws -> any RecordStorage)?

  /// The contract, for storages that `make` makes: new and empty ones at each call.
  public init(
    make: @escaping @Sendable () throws -> any RecordStorage,
    another: (@Sendable (any RecordStorage) throws -> any RecordStorage)? = nil
  ) {
    self.make = make
    self.another = another
  }

  /// Runs all checks; what it returns is empty if the storage keeps its promises.
  ///
  /// A storage that does not tell of changes is waited for up to ten seconds; nothing else waits.
  public func violations() async -> [Violation] {
    var violations: [Violation] = []
    for (rule, check) in Self.checks {
      await Self.run(rule, into: &violations) { try check(try make()) }
    }
    guard let another else { return violations }
    for (rule, check) in Self.sharedChecks {
      await Self.run(rule, into: &violations) {
        let first = try make()
        try await check(first, { try another(first) })
      }
    }
    return violations
  }

  private static func run(
    _ rule: String, into violations: inout [Violation], _ check: () async throws -> Void
  ) async {
    do {
      try await check()
    } catch let finding as Finding {
      violations.append(Violation(rule: rule, finding: finding.text))
    } catch {
      violations.append(Violation(rule: rule, finding: "threw \(error)"))
    }
  }
}

/// What a check found.
struct Finding: Error {
  let text: String
}

/// Throws a finding if two values differ.
func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
  guard found != expected else { return }
  throw Finding(text: "\(what): \(found) instead of \(expected)")
}

/// Throws a finding unless `body` throws an error with this code.
func expect(_ code: StorageError.Code, _ what: String, _ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as StorageError where error.code == code {
    return
  }
  throw Finding(text: "\(what) did not throw \(code.rawValue)")
}

extension StoredRecord {
  /// A record for the checks, with a value of some bytes.
  static func sample(_ key: String, type: UInt32 = 1, _ text: String = "value") -> StoredRecord {
    StoredRecord(key: key, type: type, value: Array(text.utf8))
  }
}
