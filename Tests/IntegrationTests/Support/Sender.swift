import Weir
import WeirCurl

/// The transports that the same tests run over.
enum Sender: String, CaseIterable, Codable, Sendable {
  case urlSession = "URLSession"
  #if os(Linux) || os(macOS)
    case curl = "libcurl"
  #endif

  /// Makes a transport of its own.
  func transport(redirectLimit: Int = 5) -> any HTTPTransport {
    switch self {
    case .urlSession:
      var options = URLSessionTransport.Options()
      options.redirectLimit = redirectLimit
      return URLSessionTransport(options: options)
    #if os(Linux) || os(macOS)
      case .curl:
        var options = CurlTransport.Options()
        (options.redirectLimit, options.connectTimeout) = (redirectLimit, nil)
        return CurlTransport(options: options)
    #endif
    }
  }

  /// The settings of a fetch exchange with the shared transport, for busy machines, too.
  var configuration: FetchConfiguration {
    var configuration = FetchConfiguration.patient
    #if os(Linux) || os(macOS)
      if self == .curl { configuration.transport = CurlTransport.shared }
    #endif
    return configuration
  }
}

extension FetchConfiguration {
  /// The default settings, but for busy machines: an answer may take as long as the test.
  static var patient: FetchConfiguration {
    var configuration = FetchConfiguration()
    configuration.timeout = .seconds(600)
    return configuration
  }
}
