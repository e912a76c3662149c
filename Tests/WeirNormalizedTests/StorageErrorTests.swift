import Testing
import WeirNormalized

@Test("A storage error's description contains its code and message")
func storageErrorDescription() {
  #expect(StorageError(.full, "no room").description == "full: no room")
}
