#if os(Linux) || os(macOS)
  import CCurl
  import Foundation

  /// Where libcurl finds the certificates of the authorities to trust, if no option says it.
  package enum Authorities: Hashable, Sendable {
    /// Where libcurl itself looks.
    case ofLibrary
    /// In a file of the system that libcurl does not know.
    case file(String)
    /// Nowhere.
    case missing

    /// Those of this process.
    static let current: Authorities = {
      // On macOS, libcurl can ask the system, which has no file.
      #if os(Linux)
        guard CurlLibrary.isReady, weir_curl_lacks_authorities() != 0 else { return .ofLibrary }
        let environment = ProcessInfo.processInfo.environment
        let found = find(environment["SSL_CERT_FILE"]) { access($0, R_OK) == 0 }
        // OpenSSL itself looks into that folder, if libcurl lets it.
        return found == .missing && environment["SSL_CERT_DIR"] != nil ? .ofLibrary : found
      #else
        return .ofLibrary
      #endif
    }()

    /// Searches the files of common systems, as a libcurl needs it that was built for another one, such as
    /// that of the static Linux SDK.
    ///
    /// - Parameters:
    ///   - named: The file that the environment names (`SSL_CERT_FILE`).
    ///   - isReadable: Returns whether the process may read a file.
    /// - Returns: The first file that is readable.
    package static func find(_ named: String?, isReadable: (String) -> Bool) -> Authorities {
      let files = [
        // Debian, Ubuntu, Alpine; Red Hat, Fedora, Amazon; openSUSE; FreeBSD; OpenBSD, Arch, macOS.
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/usr/local/share/certs/ca-root-nss.crt", "/etc/ssl/cert.pem",
      ]
      return ((named.map { [$0] } ?? []) + files).first(where: isReadable).map { .file($0) }
        ?? .missing
    }

    /// Adds to libcurl's sentence about a certificate whose issuer is unknown that there is nothing to verify it
    /// with.
    package func explaining(_ message: String) -> String {
      guard self == .missing,
        ["issuer", "self-signed", "self signed"].contains(where: message.contains)
      else { return message }
      return message
        + " This system has no file of certificate authorities: install its package ca-certificates, or name"
        + " the right file in CurlTransport.TLS.certificateAuthorities."
    }
  }
#endif
