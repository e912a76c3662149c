/// The response to an operation that was sent.
enum OperationResponse: Sendable {
  /// The only result.
  case result(OperationResult)
  /// Results that arrive one after the other.
  case feed(any ResultFeed)
}
