public import Weir

/// How the cache distinguishes the objects of a type.
public enum EntityKey: Sendable {
  /// By these fields, all of which must be selected. Otherwise the object is embedded.
  case fields([String])
  /// By a closure that receives the object with its fields under their own names, whatever their
  /// aliases. Only a field with arguments keeps its alias. The closure returns nil for an object
  /// without a key. It runs for every object of the type in every response, never while a lock is held.
  case computed(@Sendable (JSON) -> String?)
  /// Objects of the type have no key: each belongs to the field whose value it is.
  case embedded

  /// The key is one field.
  public static func field(_ name: String) -> EntityKey { .fields([name]) }
}
