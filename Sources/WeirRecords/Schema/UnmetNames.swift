import GraphQLLanguage
import Weir

/// The declared names that no operation and no response has contained yet, for an API without a
/// schema: finds those that are probably misspelled.
package final class UnmetNames: Sendable {
  private struct State {
    var unmet: [DeclaredName]
    var met: Set<Met> = []
    var found: [StoreDiagnostic] = []
  }

  /// A name of the API.
  private struct Met: Hashable {
    let scope: DeclaredName.Scope
    let name: String
  }

  private let declared: Set<Met>
  private let state: Locked<State>

  package init(_ names: [DeclaredName]) {
    declared = Set(names.map { Met(scope: $0.scope, name: $0.name) })
    state = Locked(State(unmet: names))
  }

  /// A selection on objects of a type was compiled.
  func meet(_ type: String, _ fields: [Field], isMutation: Bool) {
    state.withLock { state in
      guard !state.unmet.isEmpty else { return }
      meet(.init(scope: .type, name: type), &state)
      meet(.init(scope: .typeOrGroup, name: type), &state)
      for field in fields {
        meet(.init(scope: .field(type: type), name: field.name), &state)
        if isMutation { meet(.init(scope: .mutation, name: field.name), &state) }
        for argument in field.arguments {
          let scope = DeclaredName.Scope.argument(type: type, field: field.name)
          meet(.init(scope: scope, name: argument.name), &state)
          guard isMutation else { continue }
          meet(.init(scope: .mutationArgument(field: field.name), name: argument.name), &state)
        }
      }
    }
  }

  private func meet(_ name: Met, _ state: inout State) {
    guard state.met.insert(name).inserted else { return }
    if declared.contains(name) {
      state.unmet.removeAll { $0.scope == name.scope && $0.name == name.name }
      return
    }
    state.unmet.removeAll { other in
      guard other.scope == name.scope, NearestName.isMisspelling(other.name, of: name.name) else {
        return false
      }
      state.found.append(
        StoreDiagnostic(
          code: .unknownName,
          message: "\(other.place): no \(other.kind) named \(other.name) was met so far, but "
            + "\(name.name) was. If that is what you mean, correct the configuration."))
      return true
    }
  }

  /// The probable mistakes that were found since the last call.
  package func takeFound() -> [StoreDiagnostic] {
    state.withLock { state in
      if state.found.isEmpty { return [] }
      defer { state.found = [] }
      return state.found
    }
  }
}
