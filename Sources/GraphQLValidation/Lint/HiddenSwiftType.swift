import GraphQLLanguage

/// The Swift type of an operation or a fragment hides none of Swift, Foundation or Weir, which the other
/// code of its module would miss.
enum HiddenSwiftType: ValidationRule {
  static let name = "hidden-swift-type"

  static func check(_ context: DocumentContext) {
    for definition in context.definitions {
      if let operation = definition.operation, let name = operation.name {
        let suffix = operation.kind.rawValue
        check(
          name, suffix.prefix(1).uppercased() + suffix.dropFirst(),
          operation.namePlace(in: definition.file), context)
      } else if let fragment = definition.fragment {
        check(fragment.name, "Fields", fragment.namePlace(in: definition.file), context)
      }
    }
  }

  private static func check(
    _ name: String, _ suffix: String, _ place: SourcePlace, _ context: DocumentContext
  ) {
    let type = name.prefix(1).uppercased() + name.dropFirst()
    guard types.contains(type), !context.options.renamedTypes.contains(type) else { return }
    context.report(
      self,
      "The Swift type of \"\(name)\" hides the usual \"\(type)\" from all code of its module. Rename "
        + "it, for example to \"\(name)\(suffix)\".", at: place, suggestions: [name + suffix])
  }

  /// The types that apps name most often. Those that generated code names itself hide nothing, because
  /// their names get a `_`.
  private static let types = Set(
    """
    Actor AnyHashable AnyObject AsyncSequence AsyncStream AsyncThrowingStream CancellationError
    Character Clock ClosedRange Codable CodingKey Collection Comparable ContinuousClock Decodable
    Decoder Dictionary Duration Encodable Encoder Equatable Error Float GlobalActor Hasher Int16 Int32
    Int64 Int8 KeyPath MainActor Mirror Never ObjectIdentifier OptionSet Range RawRepresentable Regex
    Result Sequence Set StaticString Substring Task TaskGroup UInt UInt16 UInt32 UInt64 UInt8 Unicode
    Void WritableKeyPath

    AttributedString Bundle Calendar Date DateComponents DateFormatter DateInterval Decimal FileHandle
    FileManager Formatter ISO8601DateFormatter IndexPath IndexSet JSONDecoder JSONEncoder Locale
    LocalizedError Measurement Notification NotificationCenter NumberFormatter Operation OperationQueue
    Predicate Process ProcessInfo Progress Scanner Thread TimeInterval TimeZone Timer URL URLComponents
    URLError URLRequest URLSession UUID UserDefaults

    Exchange GraphQLClient GraphQLError GraphQLOperation HTTPHeaders JSON OperationContext OperationError
    OperationResult RequestPolicy Session Upload
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
