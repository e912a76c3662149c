internal import WeirSupport

extension DedupExchange {
  /// How an execution takes part in a flight.
  enum Part {
    /// The flight was carried out on the calling thread, with this result.
    case result(OperationResult)
    case share(Flight.Share)
  }

  /// Gives an execution a part in a flight; returns nil if its session has ended.
  ///
  /// A flight that is launched now uses `look`; a flight that is launched later, or without one,
  /// executes the chain again. `hasImmediateResults` says whether the execution has delivered the results that
  /// were there at once.
  func join(
    _ operation: GraphQLOperation, forward: Forward, look: ResultStream?, hasImmediateResults: Bool
  ) -> Part? {
    var (share, actions) = flights.withLock {
      $0.join(operation, hasImmediateResults: hasImmediateResults)
    }
    let flight = actions.launched.take()
    perform(actions)
    if let share {
      if share.isFirst { prepare(share.flight, forward) }
      return .share(share)
    }
    return flight.map { runByStarter($0, iterator(of: $0, forward, look)) }
  }

  func leave(_ share: Flight.Share) {
    perform(flights.withLock { $0.leave(share) })
  }

  /// Performs, without the lock, what the table has decided under it.
  func perform(_ actions: FlightTable.Actions) {
    for end in actions.cancelled { end.finish(with: .cancelled) }
    actions.ended?.finish()
    actions.launched?.launch?.deliver(())
  }

  /// Makes the task of a flight that waits for another one. So it has the priority and the task-local
  /// values of the execution that needs it, not those of the flight before it.
  private func prepare(_ flight: Flight, _ forward: Forward) {
    let task = Task { [self] in
      guard await flight.launch?.wait() != nil, !Task.isCancelled else { return }
      carryOut(flight, iterator(of: flight, forward, nil))
    }
    let isStillThere = flights.withLock { $0.setTask(task, of: flight, isWaiting: true) }
    if !isStillThere { task.cancel() }
  }

  private func iterator(
    of flight: Flight, _ forward: Forward, _ look: ResultStream?
  ) -> ResultStream.Iterator {
    let stream = look ?? forward(flight.operationInFlight)
    return (flight.allHaveImmediateResults ? stream.afterImmediateResults : stream).makeIterator(
      in: flight)
  }

  // MARK: Carrying out

  /// Carries out a flight as far as that needs no waiting. If it has a single result by then, that
  /// has cost neither a task nor a buffer.
  private func runByStarter(
    _ flight: Flight, _ iterator: consuming ResultStream.Iterator
  ) -> Part {
    // A cancelled starter decides nothing for those that share the flight.
    guard !Task.isCancelled, case .done(let result?) = iterator.step() else {
      return addShareOfStarter(to: flight, [], iterator)
    }
    switch iterator.step() {
    case .done(let second?):
      return addShareOfStarter(to: flight, [result, second], iterator)
    case .waiting:
      return addShareOfStarter(to: flight, [result], iterator)
    case .done(nil):
      // If the flight was over already, its session was.
      return .result(end(flight, with: result) ? result : .cancelled)
    }
  }

  /// Gives the execution that has started a flight a share in it, and carries out the rest.
  private func addShareOfStarter(
    to flight: Flight, _ results: [OperationResult], _ iterator: consuming ResultStream.Iterator
  ) -> Part {
    let share = flights.withLock { $0.addShareOfStarter(to: flight) }
    for result in results { deliver(result, to: flight) }
    carryOut(flight, iterator)
    return share.map(Part.share) ?? .result(.cancelled)
  }

  /// Carries out a flight in a task, which ends when nobody shares the flight any more.
  private func carryOut(_ flight: Flight, _ iterator: consuming ResultStream.Iterator) {
    // Proof: only the task uses the iterator and its source from here on.
    nonisolated(unsafe) let iterator = iterator
    // The task starts on the calling thread, so the request is sent without a hop.
    let task = Task.startingHere { [self] in
      var iterator = iterator
      while let wait = advance(flight, &iterator) { await wait() }
    }
    let isStillThere = flights.withLock { $0.setTask(task, of: flight) }
    if !isStillThere { task.cancel() }
  }

  /// Delivers the results that need no waiting.
  ///
  /// - Returns: what to wait for; nil if the last result has ended the flight.
  @inline(never)
  private func advance(
    _ flight: Flight, _ iterator: inout ResultStream.Iterator
  ) -> ResultWait? {
    var result: OperationResult?
    while true {
      switch iterator.step() {
      case .waiting(let wait):
        if let result { deliver(result, to: flight) }
        return wait
      case .done(nil):
        end(flight, with: result)
        return nil
      case .done(let next?):
        if let result { deliver(result, to: flight) }
        result = next
      }
    }
  }

  private func deliver(_ result: OperationResult, to flight: Flight) {
    let buffers = flights.withLock { $0.deliver(result, to: flight) }.buffers
    for buffer in buffers { buffer?.appendOrReplace(result) }
  }

  /// Ends a flight with its last result, and launches the one that waits for it.
  ///
  /// - Returns: whether it was not over before.
  @discardableResult
  private func end(_ flight: Flight, with result: OperationResult?) -> Bool {
    var actions = flights.withLock { $0.end(flight) }
    let ended = actions.ended.take()
    ended?.finish(with: result)
    perform(actions)
    return ended != nil
  }
}

extension FlightTable.End {
  /// Ends the executions that are left.
  func finish(with result: OperationResult? = nil) {
    for buffer in buffers { buffer?.finish(with: result) }
    task?.cancel()
  }
}

extension ResultStream {
  /// The results that executions wait for which have delivered the immediate ones already.
  fileprivate var afterImmediateResults: ResultStream {
    if case .starting(_, let more) = content { more() } else { self }
  }
}
