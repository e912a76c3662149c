import GraphQLLanguage
import GraphQLValidation

/// The fragments of other modules that documents spread, and those that these spread in turn.
///
/// A module knows the fragments of those below it only, so two that do not know each other may have one
/// name. What a fragment spreads is looked up in its own module, and otherwise in all of them, because
/// nothing says which of them that module depends on.
struct ImportedFragments {
  struct Fragment {
    let definition: FragmentDefinition
    let file: SourceFile
    /// The module of the fragment, and others with a fragment of that name that the documents may mean.
    var modules: [GenerationModule]
  }

  private(set) var fragments: [String: Fragment] = [:]
  private(set) var findings: [GenerationFinding] = []
  /// All fragments of all modules by name.
  private var all: [String: [Fragment]] = [:]
  private var reported: Set<String> = []

  init(_ files: [SourceFile], _ imported: ImportedModules) {
    for (module, files) in imported.fragments {
      for (file, fragment) in files.flatMap(\.fragments) {
        all[fragment.name, default: []].append(
          Fragment(definition: fragment, file: file, modules: [module]))
      }
    }
    if all.isEmpty { return }
    let own = files.flatMap(\.fragments)
    for (file, fragment) in own { reportOther(fragment, in: file) }
    let names = Set(own.map(\.fragment.name))
    for file in files {
      for selections in file.document.definitions.compactMap(\.selections) {
        for spread in Documents.spreads(in: selections) where !names.contains(spread.name) {
          add(spread, in: file)
        }
      }
    }
  }

  /// The modules that have fragments.
  var moduleNames: Set<String> { Set(all.values.joined().lazy.flatMap(\.modules).map(\.name)) }

  /// Adds the fragment of a spread, and all that it needs. Mistakes are reported at the spread, because
  /// the author of the documents does not see the other modules.
  private mutating func add(_ spread: FragmentSpread, in file: SourceFile) {
    guard let found = all[spread.name] else { return }
    var pending: [Fragment] = []
    if fragments[spread.name] == nil { add(found[0], &pending, spread, in: file) }
    fragments[spread.name]?.modules = found.flatMap(\.modules)
    while let user = pending.popLast() {
      for inner in Documents.spreads(in: user.definition.selectionSet) {
        guard let fragment = find(inner.name, for: user, spread, in: file) else { continue }
        add(fragment, &pending, spread, in: file)
      }
    }
  }

  private mutating func add(
    _ fragment: Fragment, _ pending: inout [Fragment], _ spread: FragmentSpread, in file: SourceFile
  ) {
    let name = fragment.definition.name
    guard let known = fragments[name] else {
      fragments[name] = fragment
      pending.append(fragment)
      return
    }
    guard known.definition != fragment.definition else { return }
    reportDifferent(name, [known, fragment], spread, in: file)
  }

  /// Finds the fragment that another one spreads: that of its own module, otherwise that of one below.
  private mutating func find(
    _ name: String, for user: Fragment, _ spread: FragmentSpread, in file: SourceFile
  ) -> Fragment? {
    let found = all[name] ?? []
    if let own = found.first(where: { $0.modules[0].name == user.modules[0].name }) { return own }
    guard let first = found.first else {
      if reported.insert(name).inserted {
        findings.append(
          GenerationFinding(
            "The fragment \"\(spread.name)\" needs \"\(name)\", which none of the modules below has. "
              + "Name the missing one: --dependency MODULE=DIR.", file, spread.location,
            related: [
              GenerationFinding("It is spread here.", user.file, user.definition.location)
            ]))
      }
      return nil
    }
    if let other = found.first(where: { $0.definition != first.definition }) {
      reportDifferent(name, [first, other], spread, in: file)
    }
    return first
  }

  private mutating func reportOther(_ fragment: FragmentDefinition, in file: SourceFile) {
    for other in all[fragment.name] ?? [] {
      findings.append(
        GenerationFinding(
          "The module \(other.modules[0].name) has a fragment \"\(fragment.name)\", too. Rename one "
            + "of them.", file, fragment.location,
          related: [
            GenerationFinding("The other one is here.", other.file, other.definition.location)
          ]))
    }
  }

  private mutating func reportDifferent(
    _ name: String, _ fragments: [Fragment], _ spread: FragmentSpread, in file: SourceFile
  ) {
    guard reported.insert(name).inserted else { return }
    let modules = fragments.map(\.modules[0].name).joined(separator: " and ")
    findings.append(
      GenerationFinding(
        "The fragment \"\(spread.name)\" needs \"\(name)\", of which the modules \(modules) have "
          + "different ones. Rename one of them.", file, spread.location,
        related: fragments.map {
          GenerationFinding("One is here.", $0.file, $0.definition.location)
        }))
  }
}

extension SourceFile {
  fileprivate var fragments: [(file: SourceFile, fragment: FragmentDefinition)] {
    document.definitions.compactMap {
      if case .fragment(let fragment) = $0 { (self, fragment) } else { nil }
    }
  }
}
