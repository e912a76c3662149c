import Weir

extension Catalog {
  /// The name of a type's key space: that of its group, or its own.
  ///
  /// An unknown type may call the app's code, so no lock may be held. Names that are met within a
  /// lock are prepared before; see ``prepareKeySpaces(of:)``.
  package func keySpace(of typename: String) -> String {
    if let known = knownKeySpace(of: typename) { return known }
    guard let groupOfType = policies.groupOfType else { return typename }
    let made = groupOfType(typename) ?? typename
    return keySpaces.withLock { spaces in
      // Whichever was first: an entity must not move.
      if let known = spaces[typename] { return known }
      spaces[typename] = made
      return made
    }
  }

  /// The name of a type's key space, unless the app's code has to be asked for it.
  func knownKeySpace(of typename: String) -> String? {
    if let group = policies.group(of: typename) { return group }
    return policies.groupOfType == nil ? typename : keySpaces.withLock { $0[typename] }
  }

  /// Finds the key spaces of names that may be types.
  package func prepareKeySpaces(of names: some Sequence<String>) {
    guard policies.groupOfType != nil else { return }
    for name in names where !name.contains("(") { _ = keySpace(of: name) }
  }

  /// Forgets the key spaces of names that were unused at the end of this session and of the one before:
  /// a type with such a name may be about to be stored.
  func forgetKeySpaces() {
    guard policies.groupOfType != nil else { return }
    let declared = policies.possibleTypes.values.reduce(policies.schema?.typenames ?? []) {
      $0.union($1)
    }
    let names = keySpaces.withLock { Set($0.keys) }.subtracting(declared)
    let unused = state.withLock { state in
      names.filter { state.typeIDs[ExactString($0)] == nil }
    }
    let forgotten = idleKeySpaces.withLock { idle in
      defer { idle = unused }
      return idle.intersection(unused)
    }
    keySpaces.withLock { spaces in for name in forgotten { spaces[name] = nil } }
  }

  /// Returns an entity under the name of its key space, as records and storages use it.
  package func inKeySpace(_ entity: Entity) -> Entity {
    guard policies.hasGroups, !RootType.allCases.contains(where: { $0.key == entity.typename })
    else { return entity }
    return Entity(keySpace(of: entity.typename), id: entity.id)
  }

  /// The table of a key space; makes one if no type of it has been seen.
  package func tableOrNew(named name: String) -> TableID? {
    if let known = table(named: name) { return known }
    // A key space has the name of its type, or of a group that is configured for types.
    let type = policies.groups.first { $0.value == name }?.key ?? name
    return self.type(named: type, in: name).map(table(of:))
  }
}

extension RecordPolicies {
  /// Whether any type may have another key space than its own.
  fileprivate var hasGroups: Bool { !groups.isEmpty || groupOfType != nil }

  /// The group that is declared for a type by name, or for an interface or union of it.
  func group(of typename: String) -> String? { value(for: typename, in: groups) }

  /// Whether several types may share a key space.
  package func mayBeGroup(_ space: String) -> Bool {
    groupOfType != nil || groups.values.contains(space)
  }
}
