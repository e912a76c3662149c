#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#endif

/// SHA-256 (FIPS 180-4), which identifies documents to a server. It protects no secret here.
package enum SHA256Digest {
  /// Returns the digest of a message as 64 lower-case hexadecimal digits.
  package static func hexadecimal(of message: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for byte in bytes(of: message) { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private static func bytes(of message: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(SHA256.hash(data: message))
    #else
      SHA256State.digest(of: message)
    #endif
  }
}

#if !canImport(CryptoKit)
  /// The eight words of FIPS 180-4, section 6.2, for platforms whose Foundation has no SHA-256.
  private struct SHA256State {
    private var words: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
      0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var schedule = [UInt32](repeating: 0, count: 64)

    static func digest(of message: [UInt8]) -> [UInt8] {
      var state = SHA256State()
      var start = 0
      while message.count - start >= 64 {
        state.process(message, from: start)
        start += 64
      }
      let end = padded(message[start...], length: message.count)
      for start in stride(from: 0, to: end.count, by: 64) { state.process(end, from: start) }
      return state.words.flatMap { word in
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
      }
    }

    /// The last bytes, a one bit, zeros, and the length in bits as a 64-bit number (section 5.1.1).
    private static func padded(_ rest: ArraySlice<UInt8>, length: Int) -> [UInt8] {
      var end = Array(rest) + [0x80]
      end += [UInt8](repeating: 0, count: (120 - end.count) % 64)
      let bits = UInt64(length) * 8
      end += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
      return end
    }

    /// One block of 64 bytes (section 6.2.2).
    private mutating func process(_ bytes: [UInt8], from start: Int) {
      for index in 0..<16 {
        schedule[index] = (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[start + index * 4 + $1]) }
      }
      for index in 16..<64 {
        let (early, late) = (schedule[index - 15], schedule[index - 2])
        let first = early.rotated(7) ^ early.rotated(18) ^ early >> 3
        let second = late.rotated(17) ^ late.rotated(19) ^ late >> 10
        schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
      }
      var (a, b, c, d) = (words[0], words[1], words[2], words[3])
      var (e, f, g, h) = (words[4], words[5], words[6], words[7])
      for index in 0..<64 {
        let first = h &+ (e.rotated(6) ^ e.rotated(11) ^ e.rotated(25))
        let chosen = first &+ (e & f ^ ~e & g) &+ constants[index] &+ schedule[index]
        let second = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
        let majority = second &+ (a & b ^ a & c ^ b & c)
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ chosen, c, b, a, chosen &+ majority)
      }
      for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { words[index] &+= word }
    }
  }

  extension UInt32 {
    fileprivate func rotated(_ count: UInt32) -> UInt32 {
      self &>> count | self &<< (32 - count)
    }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section
  /// 4.2.2).
  private let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
#endif
