package import WeirSupport

/// Why a value could not be written as JSON, and where.
public struct JSONEncodingError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, for a program to switch over.
  public enum Reason: Hashable, Sendable {
    /// A number that is not a number, or infinite.
    case nonFiniteNumber
    /// Values nest deeper than 512.
    case tooDeep
    /// The value's `encode(to:)` wrote nothing.
    case noValue
    /// The value has no JSON form, like a date beyond the year 9999.
    case invalidValue
    /// An `encode(to:)` has thrown an error of its own, which is the `underlying` one.
    case other
  }

  /// What is wrong.
  public var reason: Reason

  /// The way to the place of the error.
  public var path: [JSONPathKey]

  /// The error that an `encode(to:)` has thrown, else nil.
  public var underlying: (any Error)?

  init(_ reason: Reason, path: [JSONPathKey], underlying: (any Error)? = nil) {
    self.reason = reason
    self.path = path
    self.underlying = underlying
  }

  /// A sentence and the path; never a value.
  public var description: String {
    let message =
      switch reason {
      case .nonFiniteNumber: "JSON has no notation for infinite numbers or for not-a-number."
      case .tooDeep: "The value nests too deeply."
      case .noValue: "The value has written nothing."
      case .invalidValue: "The value has no JSON form."
      case .other: "The value's own encoding has failed."
      }
    return path.isEmpty ? message : "\(message) (at \(JSONPathKey.describe(path)))"
  }
}

/// How a value is written as JSON.
public struct JSONEncodeOptions: Sendable {
  /// Whether an object's members are ordered by the bytes of their keys, so that equal values have
  /// equal text; else they come as the value's `encode(to:)` writes them.
  public var sortsKeys: Bool

  /// How a `Date` is written.
  public var dates: JSONDateStrategy

  /// What the values' `encode(to:)` can read of the encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable]

  /// Whether optional members that are nil are written as `null`, where a type leaves them to
  /// `encodeIfPresent`, as types do that do not write `encode(to:)` themselves; else they are left out.
  package var writesNil = false

  /// Makes options.
  public init(
    sortsKeys: Bool = true, dates: JSONDateStrategy = .iso8601,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) {
    self.sortsKeys = sortsKeys
    self.dates = dates
    self.userInfo = userInfo
  }

  /// Those of canonical text, made once.
  static let canonical = JSONEncodeOptions()
}

extension JSON {
  /// Writes a value as JSON without white space.
  ///
  /// By default this is the canonical text, see `canonicalBytes`. `Data` is written as Base64, `URL`
  /// as a string, `Decimal` as a number, `Date` as the options say, and a `Double` with as few
  /// digits as read back the same value. Of several members with one key the last one counts.
  public static func encode(
    _ value: some Encodable, options: JSONEncodeOptions = JSONEncodeOptions()
  ) throws(JSONEncodingError) -> [UInt8] {
    try encode(value, into: EncodingStorage.make(options))
  }

  /// Writes a value as canonical JSON, and collects the attachments among its values.
  package static func encodeWithAttachments(
    _ value: some Encodable, with spare: borrowing SpareReference<RootContainer>
  ) throws(JSONEncodingError) -> JSONWithAttachments {
    let storage = EncodingStorage.take(from: spare)
    defer { storage.giveBack(to: spare) }
    storage.withState { $0.attachments = [] }
    let bytes = try encode(value, into: storage)
    return storage.withState { state in
      JSONWithAttachments(
        bytes: bytes,
        attachments: (state.attachments ?? []).map { (state.path(to: $0.node), $0.value) })
    }
  }

  private static func encode(
    _ value: some Encodable, into storage: EncodingStorage
  ) throws(JSONEncodingError) -> [UInt8] {
    do {
      try ValueEncoder(storage: storage, node: 0, depth: 0).encode(value)
    } catch let error as JSONEncodingError {
      throw error
    } catch {
      let path = storage.withState { $0.path(to: $0.failure ?? 0) }
      throw JSONEncodingError(.other, path: path, underlying: error)
    }
    return try storage.withState { $0.result() }.get()
  }
}

extension EncodingState {
  fileprivate func result() -> Result<[UInt8], JSONEncodingError> {
    if nodes[0].kind == .empty { return .failure(JSONEncodingError(.noValue, path: [])) }
    if let tooDeep { return .failure(JSONEncodingError(.tooDeep, path: path(to: tooDeep))) }
    return .success(output())
  }
}

extension JSONValue {
  /// Makes the tree of a value; see `JSON.encode`.
  public init(
    encoding value: some Encodable, options: JSONEncodeOptions = JSONEncodeOptions(sortsKeys: false)
  ) throws {
    self = try JSON(parsing: JSON.encode(value, options: options)).value
  }
}
