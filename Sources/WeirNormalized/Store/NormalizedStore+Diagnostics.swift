import Weir

extension NormalizedStore {
  /// Reports each probable mistake to the app once, with those that compiling a selection has shown;
  /// a thousand of them at most, because they name types that a server has named.
  func report(_ diagnostics: [StoreDiagnostic]) {
    guard StoreDiagnostic.isRead(by: configuration) else { return }
    let all = diagnostics + (catalog.policies.unmetNames?.takeFound() ?? [])
    guard !all.isEmpty else { return }
    let new = partitions.reported.withLock { reported in
      all.filter {
        ($0.code == .tooManyTypes || reported.count < StoreDiagnostic.maximumCount)
          && reported.insert($0).inserted
      }
    }
    for diagnostic in new { diagnostic.report(to: configuration) }
  }

  /// Reports, once for each query, that a response lacks something that the query selects. It does not report
  /// data that the store lacks for another reason, such as a removal or an optimistic result.
  func reportIncomplete(_ data: JSON, of operation: GraphQLOperation, _ origin: WriteOrigin) {
    guard StoreDiagnostic.isRead(by: configuration), !operation.context.allowsPartialData,
      let shown = state.withLock({ state in
        state.results[operation.identity]?.isReportedIncomplete == false ? state.visible : nil
      }),
      // Writing the response again costs more, and each response may come here.
      fieldMissing(in: shown, from: data, of: operation) != nil
    else { return }
    let records = ResponseMerge(data, [], operation, origin, self).recordsOfResponse()
    guard let field = fieldMissing(in: records, from: data, of: operation) else { return }
    state.withLock { $0.results[operation.identity]?.isReportedIncomplete = true }
    let names = field.path.compactMap { if case .key(let name) = $0 { name } else { nil } }
    let message =
      "\(ReadTarget(executing: operation)): the response lacks \(names.joined(separator: ".")), which is selected and not"
      + " cached, so executions send requests until another query has brought it. Does the server leave out"
      + " fields that are null?"
    report([StoreDiagnostic(code: .incompleteResponse, message: message)])
  }

  /// The first field that is missing in the records as well as in the response.
  private func fieldMissing(
    in records: RecordState, from data: JSON, of operation: GraphQLOperation
  ) -> MissingField? {
    // A missing type, and a member that cannot be stored, have diagnostics of their own.
    ReadExplanation(ReadTarget(inCurrentSession: operation), records, catalog).fields.first {
      $0.path.last != .key("__typename") && !data.hasValue(at: $0.path)
    }
  }

  /// Compares the names in the configuration with the schema, if there is one.
  func checkConfiguration() {
    guard let schema = configuration.schema, StoreDiagnostic.isRead(by: configuration) else {
      return
    }
    report(configuration.mistakes(in: schema))
  }
}

extension JSON {
  fileprivate func hasValue(at path: [GraphQLError.PathElement]) -> Bool {
    var value = Optional(self)
    for element in path {
      switch element {
      case .key(let key): value = value?[key]
      case .index(let index): value = value?[index]
      }
    }
    return value != nil
  }
}

extension StoreDiagnostic {
  /// The diagnostics that any store has printed.
  private static let printed = Locked<Set<StoreDiagnostic>>([])

  /// The text of an error that the app's code has thrown: only its type, unless the text never
  /// quotes a value.
  static func text(of error: any Error) -> String {
    switch error {
    case is StoreError, is JSONError, is JSONEncodingError: "\(error)"
    case let error as JSONDecodingError: error.descriptionWithoutValue
    default: "\(type(of: error))"
    }
  }

  /// Whether anybody would see a diagnostic.
  static func isRead(by configuration: NormalizedCacheConfiguration) -> Bool {
    #if DEBUG
      true
    #else
      configuration.onDiagnostic != nil
    #endif
  }

  fileprivate func report(to configuration: NormalizedCacheConfiguration) {
    if let onDiagnostic = configuration.onDiagnostic { return onDiagnostic(self) }
    #if DEBUG
      guard code != .noKey, Self.printed.withLock({ $0.insert(self).inserted }) else { return }
      printInDebugBuilds("\(self)")
    #endif
  }
}
