public import Weir

/// A selection of records, or of fields of records, to remove or to mark as stale.
///
/// Keys mean the same in every store: no character is a wildcard.
public struct StoreSelection: Sendable {
  enum Content {
    case entity(Entity)
    case field(String, Entity, arguments: JSONValue?)
    case type(String)
    case prefix(String)
  }

  let content: Content

  /// An entity or a root with all its fields.
  public static func entity(_ entity: Entity) -> StoreSelection {
    StoreSelection(content: .entity(entity))
  }

  /// A field of an entity, by its name in the schema. Without an entity it is a field of the query's root.
  ///
  /// `arguments` is nil for every variant of the field, with whatever arguments, or an object for the one
  /// variant with exactly these arguments. So `[:]` is the variant without arguments, and no other.
  public static func field(
    _ name: String, of entity: Entity = .query, arguments: JSONValue? = nil
  ) -> StoreSelection {
    StoreSelection(content: .field(name, entity, arguments: arguments))
  }

  /// All entities of an object type; the name of an interface or a union matches nothing. A root is not
  /// an entity: for its fields, use ``field(_:of:arguments:)`` or ``entity(_:)``. For
  /// ``StoreTransaction/invalidate(_:)``, embedded objects and lists of the type count, too.
  public static func type(_ name: String) -> StoreSelection {
    StoreSelection(content: .type(name))
  }

  /// All entities whose type and id, written as `Todo:1`, begin with a prefix. `Todo:1` includes
  /// `Todo:10`; for one entity use ``entity(_:)``.
  public static func prefix(_ prefix: String) -> StoreSelection {
    StoreSelection(content: .prefix(prefix))
  }
}

extension StoreSelection.Content {
  /// The same content with an entity under the name of its key space.
  func inKeySpace(_ catalog: Catalog) -> Self {
    switch self {
    case .entity(let entity): .entity(catalog.inKeySpace(entity))
    case .field(let name, let entity, let arguments):
      .field(name, catalog.inKeySpace(entity), arguments: arguments)
    case .type, .prefix: self
    }
  }
}

/// What happens to references to a removed entity.
public enum ReferencePolicy: Sendable {
  /// They stay. A read of one misses the entity, and finds it again if it is written again.
  case dangling
  /// They are removed from lists and from single fields. Visits every record.
  ///
  /// An edge of a connection is not a reference: it stays in its list without its `node`, so a query
  /// that shows it is a miss. ``StoreTransaction/removeFromLists(_:)`` removes such edges.
  case removed
}
