/// Finds probable mistakes in a chain, as far as the shipped exchanges show them.
struct ChainCheck {
  private var messages: [String] = []
  private var hasDedup = false
  private var hasCache = false
  /// Whether the terminal forwards subscriptions, so that exchanges after it may send them.
  private var forwardsSubscriptions = false
  /// Whether a cache may have to wait for its storage.
  private var hasStorage = false
  /// The latest session of an exchange, which another client may have used before.
  private(set) var session = Session(number: 0)
  /// The exchange that answers everything, so that those after it never run.
  private var terminal: String?
  /// The first exchange that makes each operation wait.
  private var suspending: String?
  /// The last exchange, if it certainly forwards what it cannot answer.
  private var openEnd: String?
  /// The kinds of operations that exchanges for subscriptions send themselves.
  private var kindsSent: Set<GraphQLOperation.Kind> = []

  init(_ exchanges: [any Exchange]) {
    for exchange in exchanges { visit(exchange) }
    if let openEnd, terminal == nil {
      messages.append("The chain ends with \(openEnd), which sends no requests: add .fetch.")
    }
  }

  /// The mistakes in the chain, from its first exchange on.
  var diagnostics: [ClientDiagnostic] {
    messages.map { ClientDiagnostic(code: .chain, message: $0) }
  }

  /// What `peek` reports if it is not answered at once, and the other diagnostics do not explain it.
  var slowPeek: ClientDiagnostic? {
    guard hasCache, suspending == nil else { return nil }
    return hasStorage ? .notLoaded : .suspendingExchange
  }

  private mutating func visit(_ exchange: any Exchange) {
    if let composed = exchange as? ComposeExchange {
      for member in composed.exchanges { visit(member) }
      return
    }
    let name = "\(type(of: exchange))"
    openEnd = nil
    if let holder = exchange as? any SessionHolder { session = max(session, holder.session) }
    if !forwardsSubscriptions || exchange is DedupExchange || exchange is any QueryCache {
      noteEarlierTerminal(before: name, exchange)
    }
    if let persisted = exchange as? PersistedOperationsExchange { notePassedBy(persisted, name) }
    switch exchange {
    case is DedupExchange: visitDedup(name)
    case let cache as any QueryCache: visitCache(name, cache)
    case is SharedSubscriptionsExchange:
      noteBelowCache(
        name, "which takes in an event once for each subscriber: place it above dedup and the cache"
      )
    case let refresh as RefreshExchange:
      if refresh.hasNoInterval {
        messages.append(
          "The interval of .refresh(every:) is not positive, so nothing is refetched: pass at least"
            + " one millisecond.")
      }
      noteBelowCache(
        name, "whose results do not carry its signal, so that nothing is refetched: place it above")
    case is RequestPolicyExchange:
      noteBelowCache(
        name,
        "whose results it does not see, so that nothing is refetched: place it above dedup and the"
          + " cache")
    case let subscription as SubscriptionExchange:
      kindsSent.formUnion(subscription.kinds)
      return
    case let exchange as any SuspendingExchange where exchange.suspends:
      suspending = suspending ?? name
    case let fetch as any TerminalExchange:
      visitTerminal(name, fetch)
      return
    default: return
    }
    openEnd = name
  }

  private mutating func visitDedup(_ name: String) {
    if hasDedup {
      messages.append("The chain has two dedup exchanges: remove one of them.")
    } else {
      noteBelowCache(
        name, "so that equal queries all pass the cache before they share a request: place it above"
      )
    }
    hasDedup = true
  }

  private mutating func visitCache(_ name: String, _ cache: any QueryCache) {
    if hasCache { messages.append("The chain has two caches: remove one of them.") }
    if let suspending {
      messages.append(
        "\(suspending) suspends above \(name), so that no hit is immediate and peek returns nil:"
          + " place it below the cache.")
    }
    hasCache = true
    if cache.hasStorage { hasStorage = true }
  }

  private mutating func visitTerminal(_ name: String, _ fetch: any TerminalExchange) {
    if terminal == nil || forwardsSubscriptions {
      forwardsSubscriptions = fetch.forwardsSubscriptions
    }
    terminal = terminal ?? name
  }

  private mutating func notePassedBy(_ persisted: PersistedOperationsExchange, _ name: String) {
    // Below a terminal, it does not run at all.
    guard terminal == nil, kindsSent.contains(where: persisted.changes) else { return }
    messages.append(
      "\(name) stands below SubscriptionExchange, which sends the text of its operations, whatever the"
        + " configuration says: place it above.")
  }

  private mutating func noteBelowCache(_ name: String, _ consequence: String) {
    if hasCache { messages.append("\(name) stands below a cache, \(consequence).") }
  }

  private mutating func noteEarlierTerminal(before name: String, _ exchange: any Exchange) {
    guard let terminal else { return }
    let cure = exchange is any TerminalExchange ? "remove one of them" : "place it above"
    messages.append("\(name) stands after \(terminal) and never runs: \(cure).")
  }
}

/// An exchange that makes operations wait before it answers.
private protocol SuspendingExchange: Exchange {
  /// Whether it does so with its configuration.
  var suspends: Bool { get }
}

extension SuspendingExchange {
  var suspends: Bool { true }
}

extension AuthExchange: SuspendingExchange {}
extension ContextExchange: SuspendingExchange {}
extension ConcurrencyLimitExchange: SuspendingExchange {}
extension PersistedOperationsExchange: SuspendingExchange {}
extension RetryExchange: SuspendingExchange {}

/// An exchange that answers everything, except perhaps subscriptions.
private protocol TerminalExchange: Exchange {
  var forwardsSubscriptions: Bool { get }
}

extension FetchExchange: TerminalExchange {}
extension BatchFetchExchange: TerminalExchange {}

extension ClientDiagnostic.Code {
  /// The exchanges of a chain are missing, or stand in an order that does not work.
  public static let chain = ClientDiagnostic.Code(rawValue: "chain")
  /// A `peek` has returned nil because the cache would have to wait for its storage.
  public static let notLoaded = ClientDiagnostic.Code(rawValue: "notLoaded")
}

extension ClientDiagnostic {
  static let notLoaded = ClientDiagnostic(
    code: .notLoaded,
    message:
      "peek has returned nil because the data is not in memory, but may be in the cache's storage:"
      + " call `await store.load()`, or `load` with the operation, before the first frame.")

  static let suspendingExchange = ClientDiagnostic(
    code: .chain,
    message:
      "An exchange of your own suspends above the cache, so that no hit is immediate and peek"
      + " returns nil: place it below the cache, or let it return what forward returns.")
}
