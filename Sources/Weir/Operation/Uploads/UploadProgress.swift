/// The progress of a request with files, as an asynchronous sequence for a progress bar.
///
/// ```swift
/// let progress = UploadProgress()
/// let context = OperationContext.cacheFirst.with { $0.uploadProgress = progress }
/// async let result = client.mutate(setAvatar, AvatarVariables(image: image), context: context)
/// for await step in progress { bar.value = step.fraction }
/// print(await result.error?.message ?? "sent")
/// ```
///
/// The sequence ends when `query` or `mutate` returns. A step that has not been read is replaced by
/// the next one. If the request is sent again (a lost connection, a retry, a new token), the
/// progress falls back. Create a new value for each execution, and iterate it once.
public struct UploadProgress: AsyncSequence, Sendable {
  /// The progress at one point in time.
  public struct Step: Hashable, Sendable {
    /// The bytes handed to the network, including the framing between files.
    public var sentBytes: Int
    /// The bytes of the whole request.
    public var totalBytes: Int

    /// The progress from 0 to 1.
    public var fraction: Double {
      totalBytes == 0 ? 1 : Double(sentBytes) / Double(totalBytes)
    }
  }

  /// One step.
  public typealias Element = Step
  /// The sequence never throws.
  public typealias Failure = Never

  private let steps: AsyncStream<Step>
  private let continuation: AsyncStream<Step>.Continuation

  /// Creates a progress, to be set in the context of one execution.
  public init() {
    (steps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Creates an iterator.
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
  /// Receives the progress of sending the operation's files, if it is not nil.
  public var uploadProgress: UploadProgress? {
    get { self[UploadProgressKey.self] }
    set { self[UploadProgressKey.self] = newValue }
  }

  /// Ends the progress: nothing more is sent.
  func finishUploadProgress() {
    // Nearly all contexts are empty, and even copying nil takes time.
    if hasDetails { uploadProgress?.finish() }
  }
}

private enum UploadProgressKey: OperationContextKey {
  static let defaultValue: UploadProgress? = nil
}
