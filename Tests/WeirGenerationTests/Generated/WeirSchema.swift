// @generated from the schema by weir. Do not edit.
// swift-format-ignore-file
public import Weir

/// The types of the schema that documents use.
public nonisolated enum Blog {
  /// The object types that interfaces and unions stand for.
  public nonisolated enum Types {
    public static let Named = TypeSet("Author Tag")
    public static let Node = TypeSet("Author Post")
    public static let SearchResult = TypeSet("Author Post Tag")
  }
}
