/// How much of a request with files was sent: an asynchronous sequence for a progress bar.
///
/// ```swift
/// let progress = UploadProgress()
/// async let result = client.mutate(upload.with { $0.uploadProgress = progress })
/// for await step in progress { bar.value = step.fraction }
/// print(await result.error ?? "sent")
/// ```
///
/// It ends when `query` or `mutate` returns. Steps that nobody has asked for give way to newer ones.
/// If the request is sent again (a lost connection, a retry, a new token), the number falls back.
/// Make one for each execution, and iterate it once.
public struct UploadProgress: AsyncSequence, Sendable {
  /// A point of time in a request.
  public struct Step: Hashable, Sendable {
    /// The bytes handed to the network, the framing between files included.
    public var sentBytes: Int
    /// The bytes of the whole request.
    public var totalBytes: Int

    /// From 0 to 1.
    public var fraction: Double {
      totalBytes == 0 ? 1 : Double(sentBytes) / Double(totalBytes)
    }
  }

  /// What it delivers.
  public typealias Element = Step
  /// It never throws.
  public typealias Failure = Never

  private let steps: AsyncStream<Step>
  private let continuation: AsyncStream<Step>.Continuation

  /// The progress of an execution that has yet to be given it.
  public init() {
    (steps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Starts to wait for steps.
  public func makeAsyncIterator() -> AsyncStream<Step>.Iterator {
    steps.makeAsyncIterator()
  }

  func report(sent: Int, of total: Int) {
    continuation.yield(Step(sentBytes: sent, totalBytes: total))
  }

  func finish() {
    continuation.finish()
  }
}

extension OperationContext {
  /// Where to report how much of the files was sent; nil for nowhere.
  public var uploadProgress: UploadProgress? {
    get { self[UploadProgressKey.self] }
    set { self[UploadProgressKey.self] = newValue }
  }

  /// Nothing more is sent.
  func finishUploadProgress() {
    // Nearly all contexts carry nothing at all, and nil takes time to copy.
    if hasDetails { uploadProgress?.finish() }
  }
}

private enum UploadProgressKey: OperationContextKey {
  static let defaultValue: UploadProgress? = nil
}
