import Foundation
import Testing

@testable import Weir

/// Where a redirect may lead, because the header fields go there, too. The ports 80 and 443 cannot be
/// served in a test.
@Suite("Redirects")
struct RedirectTests {
  @Test(
    "A redirect is followed within the origin, or from http to https of the same host",
    arguments: [
      ("http://a.org/x", "/y", "http://a.org/y"),
      ("http://a.org/x", "y?q=1", "http://a.org/y?q=1"),
      ("http://a.org:80/x", "HTTP://A.org/y", "HTTP://A.org/y"),
      ("https://a.org/x", "https://a.org:443/y", "https://a.org:443/y"),
      ("http://a.org:8080/x", "http://a.org:8080/y", "http://a.org:8080/y"),
      ("http://ann:s@a.org/x", "http://ann:s@a.org/y", "http://ann:s@a.org/y"),
      ("http://a.org/x", "https://a.org/y", "https://a.org/y"),
      ("http://a.org:80/x", "https://a.org:443/y", "https://a.org:443/y"),
      ("http://a.org:8080/x", "https://a.org/y", nil),
      ("http://a.org/x", "https://a.org:8443/y", nil),
      ("https://a.org/x", "http://a.org/y", nil),
      ("https://a.org:80/x", "http://a.org:80/y", nil),
      ("http://a.org/x", "http://a.org:8080/y", nil),
      ("https://a.org/x", "https://a.org:80/y", nil),
      ("http://a.org/x", "http://b.org/y", nil),
      ("http://a.org/x", "//b.org/y", nil),
      ("http://a.org/x", "http://www.a.org/y", nil),
      ("http://a.org/x", "http://bob@a.org/y", nil),
      ("http://ann@a.org/x", "http://a.org/y", nil),
      ("http://a.org/x", "ftp://a.org/y", nil),
      ("http://a.org/x", "file:///y", nil),
    ] as [(String, String, String?)])
  func targets(from: String, location: String, target: String?) throws {
    let request = HTTPRequest(url: try #require(URL(string: from)))
    let response = HTTPResponse(status: 307, headers: ["location": location])
    #expect(response.redirect(of: request)?.absoluteString == target)
  }

  @Test("A redirect is followed only with the same method and body")
  func methods() throws {
    let url = try #require(URL(string: "http://a.org/"))
    for (method, statuses) in [
      (HTTPMethod.get, [301, 302, 303, 307, 308]), (.post, [307, 308]),
    ] {
      let request = HTTPRequest(method: method, url: url)
      let followed = (300..<310).filter {
        HTTPResponse(status: $0, headers: ["location": "/y"]).redirect(of: request) != nil
      }
      #expect(followed == statuses)
      #expect(HTTPResponse(status: 307).redirect(of: request) == nil)
    }
  }
}
