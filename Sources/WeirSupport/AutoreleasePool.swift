#if canImport(Darwin)
  import Foundation
#endif

/// Calls a closure. On Apple's platforms, what Objective-C autoreleases in it is released when it
/// returns.
///
/// Threads of our own, and long loops on others, need that: their own pool is drained when they end.
package func withAutoreleasePool<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if canImport(Darwin)
    try autoreleasepool(invoking: body)
  #else
    try body()
  #endif
}
