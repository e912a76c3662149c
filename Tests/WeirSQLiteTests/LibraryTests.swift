import Foundation
import Testing
import WeirSQLite

@Test("The system's SQLite is recent enough for upserts and WAL")
func version() {
  #expect(SQLiteLibrary.version.compare("3.24.0", options: .numeric) != .orderedAscending)
}
