/// Where an app's code runs while it is measured.
enum Place: String, CaseIterable {
  /// On the threads of the global executor.
  case pool
  /// On the main actor, as views do.
  case mainActor = "main actor"

  /// The isolation to pass to a function that is measured there.
  var actor: (any Actor)? {
    switch self {
    case .pool: nil
    case .mainActor: MainActor.shared
    }
  }

  /// Starts a task there.
  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    switch self {
    case .pool: Task { @concurrent in await body() }
    case .mainActor: Task { @MainActor in await body() }
    }
  }
}
