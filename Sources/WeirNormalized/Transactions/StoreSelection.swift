public import Weir

/// Names records, or fields of records, to be removed or to be marked as stale.
///
/// Keys mean the same in every store: no character is a wildcard.
public struct StoreSelection: Sendable {
  enum Content {
    case entity(Entity)
    case field(String, Entity, arguments: JSONValue?)
    case type(String)
    case prefix(String)
    /// A field of all entities of a key space, or of the query's root, as far as only a storage has it.
    case stored(ListFields.Field)
  }

  let content: Content

  /// An entity with all its fields.
  public static func entity(_ entity: Entity) -> StoreSelection {
    StoreSelection(content: .entity(entity))
  }

  /// A field of an entity, by its name in the schema; of the query's root, if no entity is given.
  ///
  /// `arguments` is an object that names one variant of the field; nil stands for every variant,
  /// whatever its arguments.
  public static func field(
    _ name: String, of entity: Entity = .query, arguments: JSONValue? = nil
  ) -> StoreSelection {
    StoreSelection(content: .field(name, entity, arguments: arguments))
  }

  /// All entities of an object type.
  public static func type(_ name: String) -> StoreSelection {
    StoreSelection(content: .type(name))
  }

  /// All entities whose type and id, written as `Todo:1`, begin like this. `Todo:1` includes
  /// `Todo:10`; for one entity use ``entity(_:)``.
  public static func prefix(_ prefix: String) -> StoreSelection {
    StoreSelection(content: .prefix(prefix))
  }
}

extension StoreSelection.Content {
  /// The same with an entity under the name of its key space.
  func inKeySpace(_ catalog: Catalog) -> Self {
    switch self {
    case .entity(let entity): .entity(catalog.inKeySpace(entity))
    case .field(let name, let entity, let arguments):
      .field(name, catalog.inKeySpace(entity), arguments: arguments)
    case .type, .prefix, .stored: self
    }
  }
}

/// What becomes of references to something that is removed.
public enum ReferencePolicy: Sendable {
  /// They stay. Whoever reads one misses the entity, and finds it again if it comes back.
  case dangling
  /// They are taken out of lists, and single ones are forgotten. Costs a look at every record.
  ///
  /// An edge of a connection is no reference: it stays in its list without its `node`, so a query
  /// that shows it is a miss. ``StoreTransaction/removeFromLists(_:)`` takes such edges out.
  case removed
}
