public import Weir

/// How to tell the objects of a type from each other.
public enum EntityKey: Sendable {
  /// By these fields, all of which must be selected; otherwise the object is embedded.
  case fields([String])
  /// By a closure that is given the object, its fields under their own names whatever their aliases;
  /// nil stands for an object without key. It runs for every object of the type in every response,
  /// never under a lock.
  case computed(@Sendable (JSON) -> String?)
  /// Not at all: such objects belong to the field that they are the value of.
  case embedded

  /// By one field.
  public static func field(_ name: String) -> EntityKey { .fields([name]) }
}
