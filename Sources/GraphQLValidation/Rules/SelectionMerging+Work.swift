extension SelectionMerging {
  /// A union of selection sets to check.
  final class Work {
    /// Identifies the union. Its address would not: another union can follow at the same address.
    let number: Int
    let sets: [SetID]
    /// Whether the sets belong to different object types, so that only one of them applies to an
    /// object: then names and arguments may differ, but not the shapes of the values.
    let isExclusive: Bool
    /// The fields that have the selection sets, and where they were found; nil for a definition.
    let origin: (fields: [Member], work: Work)?
    /// For each set, the positions of the united ones that contain it, directly or by fragments; only
    /// for messages.
    var owners: [SetID: [Int]]?

    init(
      _ number: Int, sets: [SetID], isExclusive: Bool, origin: (fields: [Member], work: Work)?
    ) {
      self.number = number
      self.sets = sets
      self.isExclusive = isExclusive
      self.origin = origin
    }
  }

  /// A field and the selection set that contains it.
  struct Member {
    let field: FieldID
    let set: SetID
  }

  /// Two fields of a union that lead to a conflict.
  struct Step: Hashable {
    let work: Int
    let left: FieldID
    let right: FieldID
  }
}
