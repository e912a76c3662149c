import WeirSupport

/// An error that says why a value could not be written as JSON, and where.
public struct JSONEncodingError: Error, Sendable, CustomStringConvertible {
  /// The kinds of errors, for programs to switch over.
  public enum Reason: Hashable, Sendable {
    /// A number that is not-a-number or infinite.
    case nonFiniteNumber
    /// Values nest deeper than 512.
    case tooDeep
    /// The value's `encode(to:)` wrote nothing.
    case noValue
    /// The value has no JSON form, like a date beyond the year 9999, or an `encode(to:)` that asks
    /// for two kinds of containers.
    case invalidValue
    /// Two parts of a ``SelectionData`` value have different values for one field.
    case conflictingParts
    /// An `encode(to:)` threw an error of its own, which is `underlying`.
    case other
  }

  /// The kind of the error.
  public var reason: Reason

  /// The path to the error.
  public var path: [JSONPathKey]

  /// The error that an `encode(to:)` threw, if any.
  public var underlying: (any Error)?

  /// A sentence and the path; never a value.
  public var description: String {
    let message =
      switch reason {
      case .nonFiniteNumber: "JSON cannot express infinite numbers or not-a-number."
      case .tooDeep: "The value nests too deeply."
      case .noValue: "The value's encode(to:) wrote nothing."
      case .invalidValue: "The value has no JSON form."
      case .conflictingParts:
        "Two fragments of one object have different values for one field. Set it in both."
      case .other: "The value's encode(to:) threw an error."
      }
    return path.isEmpty ? message : "\(message) (at \(JSONPathKey.describe(path)))"
  }
}

extension JSONEncodingError {
  /// Creates the error of a value within another one.
  init(_ error: any Error, within path: [JSONPathKey]) {
    guard let error = error as? JSONEncodingError else {
      self.init(reason: .other, path: path, underlying: error)
      return
    }
    self = error
    self.path = path + error.path
  }
}

/// Options for writing a value as JSON.
public struct JSONEncodeOptions: Sendable {
  /// Whether an object's members are ordered by the bytes of their keys, so that equal values have
  /// equal text. Otherwise they stay in the order in which the value's `encode(to:)` writes them.
  public var sortsKeys: Bool

  /// The form of a `Date`.
  public var dates: JSONDateStrategy

  /// The encoder's `userInfo`, for `encode(to:)` to read.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Whether `encodeIfPresent`, which generated `encode(to:)` methods use, writes `null` for
  /// members that are nil. Otherwise it leaves them out.
  package var writesNil = false

  /// Creates options.
  public init(
    sortsKeys: Bool = true, dates: JSONDateStrategy = .iso8601,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.sortsKeys = sortsKeys
    self.dates = dates
    self.userInfo = userInfo
  }

  /// The options of canonical text.
  static let canonical = JSONEncodeOptions()
}

extension JSON {
  /// Returns a value as JSON text without white space.
  ///
  /// By default this is the canonical text; see `canonicalBytes`. `Data` is written as Base64, a
  /// `URL` as a string, a `UUID` in small letters, a `Decimal` as a number, a `Date` as the options
  /// say, and a `Double` with the fewest digits that are read back as the same value. If several
  /// members have the same key, the last one counts, but nested containers of one key are one
  /// container.
  public static func encode(
    _ value: some Encodable, options: JSONEncodeOptions = JSONEncodeOptions()
  ) throws(JSONEncodingError) -> [UInt8] {
    try encode(value, into: EncodingStorage.make(options)).array
  }

  /// Writes a value as canonical JSON, and collects the attachments among its values. `depth` is how
  /// deeply the value nests in the text that it becomes a part of.
  package static func encodeWithAttachments(
    _ value: some Encodable, with spare: borrowing SpareEncoding, depth: Int = 0
  ) throws(JSONEncodingError) -> JSONWithAttachments {
    let storage = EncodingStorage.take(from: spare)
    defer { storage.giveBack(to: spare) }
    storage.withState { state in
      state.attachments = []
      state.outerDepth = depth
    }
    let bytes = try encode(value, into: storage)
    return storage.withState { state in
      JSONWithAttachments(
        bytes: bytes,
        attachments: (state.attachments ?? []).filter { state.isPartOfText($0.node) }
          .map { (state.path(to: $0.node), $0.value) })
    }
  }

  private static func encode(
    _ value: some Encodable, into storage: EncodingStorage
  ) throws(JSONEncodingError) -> CompactBytes {
    do {
      try ValueEncoder(storage: storage, node: 0, depth: storage.header.outerDepth).encode(value)
    } catch let error as JSONEncodingError {
      throw error
    } catch {
      let path = storage.withState { $0.failurePath }
      throw JSONEncodingError(reason: .other, path: path, underlying: error)
    }
    return try storage.withState { $0.result() }.get()
  }
}

extension EncodingState {
  fileprivate mutating func result() -> Result<CompactBytes, JSONEncodingError> {
    if let refusal { return .failure(refusal) }
    if nodes[0].kind == .empty { return .failure(JSONEncodingError(reason: .noValue, path: [])) }
    return .success(output())
  }
}

extension JSONValue {
  /// Creates the tree of a value; see `JSON.encode`. A number is what a tree can hold: integers
  /// beyond 64 bits and the digits of a `Decimal` are rounded to the nearest `Double`.
  public init(
    encoding value: some Encodable, options: JSONEncodeOptions = JSONEncodeOptions(sortsKeys: false)
  ) throws {
    self = try JSON(parsing: JSON.encode(value, options: options)).value
  }
}
