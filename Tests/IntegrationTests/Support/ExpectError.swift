import Testing
import Weir

/// Expects an error of a transport.
func expectError(
  _ code: HTTPTransportError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let error = await #expect(throws: HTTPTransportError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
}
