#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import Weir
  import WeirCurl

  extension CurlTransportTests {
    // MARK: The system's libcurl

    @Test("A libcurl that is too old is a typed error, which names its version")
    func oldLibrary() throws {
      let error = try #require(throws: HTTPTransportError.self) {
        try CurlLibrary.check(version: 0x07_4C_01)
      }
      #expect(error.code == .unsupported)
      #expect(error.message.contains("7.76.1"))
      try CurlLibrary.check(version: 0x07_51_00)
    }
  }
#endif
