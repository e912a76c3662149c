import TestSupport
import Testing
import Weir

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "Digests match NIST's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
          + "lmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func examples(message: String, digest: String) {
    #expect(SHA256Digest.hexadecimal(of: Array(message.utf8)) == digest)
  }

  /// Each digest is the digest of ten digests: of random messages of ten lengths, computed with
  /// Python's `hashlib`.
  @Test(
    "Digests match for random messages of each length from 0 to 129",
    arguments: [
      (0, "f890342861fd0985460239d594dd419c6a70d8bbe4770435d43cac7747a9097c"),
      (10, "a43fe82ae46efec7797e27e04ebec73646c5af20f410fb6b41ac96113a11658e"),
      (20, "ac00445d6a96ab214811a97766fc620b32c5470551d2daddbd16022ab222fec5"),
      (30, "3d514ba61c7f2b68ff053e39ab7903759b79f834e9d5352557e286d8411df90b"),
      (40, "98334d0a35ce39c5b0eee1ed097abdbcd0bfc2757624e49ca0623549c28b8b8e"),
      (50, "85758216589b3c726884bd38959489ff0df00431e47dc8ff9ee68dc25a2b33a9"),
      (60, "8fa70f16a9a9d13d3157a32718599a502b8a5a138ff72e59a68ab0ce2f5f4416"),
      (70, "2628cbc7a1745d38b1904219f66d5aa9703a214101e3b099d017079fd3358dd1"),
      (80, "4e2d4a920c0ddbe958a82478a0bc111b5a9c5cb2132b561b74e7b9b4e9a62a10"),
      (90, "4d10f46c8b728c8ddaac03e81a37dd6bdf90337df6ca5d42886ce4e5da00d666"),
      (100, "61b3955253011291b1f84b884c620b59f0722890233f4c5818c88d29c4c85f5b"),
      (110, "238d6dfd8e384cdb8bedeb9ec7bd32a4583c04066345b736f94f1b5bab1aeb75"),
      (120, "6da72c81b4c8210bae04983a53e4371590a3c2cc8029128e7a37d344728f76db"),
    ])
  func lengths(first: Int, digest: String) {
    let digests = (first..<first + 10).map { SHA256Digest.hexadecimal(of: randomMessage($0)) }
    #expect(SHA256Digest.hexadecimal(of: Array(digests.joined().utf8)) == digest)
  }

  /// Computed with Python's `hashlib`.
  @Test(
    "Digests match for long random messages",
    arguments: [
      (255, "9255468a8c262895d54f2cc9f52e22c463a13a2674985e7a8c5c3d2384c309e0"),
      (256, "10d746145177405c0de4fd6d4c995bba2e99fe47f526394c220481d7f518a738"),
      (1000, "73758d713a3c428e57aed6b69c63a97efc360d1523db331dad4e83ab85faa676"),
      (4095, "411175bdfbae13fa30d93fa6a30612010c5e1c3b19d2bfd79d6aea4f3cd36ef5"),
      (4096, "67df67c1ce74aed9400f7bfbbe59f5f018aabc0b2504ac738c86755b6d8ec83d"),
      (65537, "94d1f8c3fd62873fce83b47ad6e070efc7deb57458a9b6456f907e7655e0f91b"),
    ])
  func long(count: Int, digest: String) {
    #expect(SHA256Digest.hexadecimal(of: randomMessage(count)) == digest)
  }
}

/// The lowest byte of each number from a SplitMix64 generator that is seeded with the count.
private func randomMessage(_ count: Int) -> [UInt8] {
  var random = SeededRandom(seed: UInt64(count))
  return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
}
