public import WeirNormalized

/// A series of checks of the guarantees that the normalized cache expects of a `RecordStorage`.
///
/// Run it in the tests of your own storage:
///
/// ```swift
/// let violations = await RecordStorageContract { try MyStorage(empty: true) }.violations()
/// #expect(violations.isEmpty)
/// ```
///
/// With `another`, which makes a second storage on the same medium, it also checks that commits
/// outlive a storage, and that storages notify each other of changes.
public struct RecordStorageContract: Sendable {
  /// A broken guarantee.
  public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The guarantee.
    public let rule: String
    /// The actual outcome.
    public let finding: String

    /// The guarantee and what happened instead.
    public var description: String { "\(rule): \(finding)" }
  }

  typealias Storage = any RecordStorage

  let make: @Sendable () throws -> any RecordStorage
  let another: (@Sendable (any RecordStorage) throws -> any RecordStorage)?

  /// Makes the contract.
  ///
  /// - Parameters:
  ///   - make: Makes a new, empty storage at each call.
  ///   - another: Makes a second storage on the medium of the given one.
  public init(
    make: @escaping @Sendable () throws -> any RecordStorage,
    another: (@Sendable (any RecordStorage) throws -> any RecordStorage)? = nil
  ) {
    self.make = make
    self.another = another
  }

  /// Runs all checks and returns the broken guarantees.
  ///
  /// A check waits up to a minute for the notification of a change; no other check waits.
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

/// The reason why a check failed.
struct Finding: Error {
  let text: String
}

/// Throws a ``Finding`` if two values differ.
func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ what: String) throws {
  guard found != expected else { return }
  throw Finding(text: "\(what): \(found) instead of \(expected)")
}

/// Throws a ``Finding`` unless `body` throws an error with this code.
func expect(_ code: StorageError.Code, _ what: String, _ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as StorageError where error.code == code {
    return
  }
  throw Finding(text: "\(what) did not throw \(code.rawValue)")
}

extension StoredRecord {
  /// Makes a record for the checks.
  static func sample(_ key: String, type: UInt32 = 1, _ text: String = "value") -> StoredRecord {
    StoredRecord(key: key, type: type, value: Array(text.utf8))
  }
}
