import Testing
import WeirNormalized

@Test("A storage error says its code and what happened")
func storageErrorDescription() {
  #expect(StorageError(.full, "no room").description == "full: no room")
}
