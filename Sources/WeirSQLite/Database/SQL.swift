/// The statements that a connection keeps prepared.
enum SQL: Hashable {
  case begin, beginWriting, commit, rollback
  case readState, writeState
  case names, addName, clearNames
  case put(Table), get(Table), getFrom(Table), remove(Table), touch(Table), clear(Table)
  case keys, keysOfType, keysBetween, scan, collect
  case logChange, changes, clearChanges
  case documents, savedDocuments

  /// The tables of values with checksums.
  enum Table: String {
    case records, documents
  }

  var text: String {
    switch self {
    case .begin: "BEGIN"
    case .beginWriting: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .readState:
      "SELECT generation, sequence, records, bytes, nextname, epoch, clean, sum FROM state"
    case .writeState:
      """
      UPDATE state SET generation = ?1, sequence = ?2, records = ?3, bytes = ?4, nextname = ?5,
      epoch = ?6, clean = ?7, sum = ?8
      """
    case .names: "SELECT number, name, sum FROM names"
    case .addName: "INSERT OR IGNORE INTO names VALUES (?1, ?2, ?3)"
    case .clearNames: "DELETE FROM names"
    case .put(let table):
      """
      INSERT INTO \(table.rawValue) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (key) DO UPDATE SET type = excluded.type,
      used = excluded.used * note(length(key) + length(value)),
      sum = excluded.sum, value = excluded.value
      """
    case .get(let table):
      "SELECT type, used, sum, value FROM \(table.rawValue) WHERE key = ?1"
    case .getFrom(let table):
      "SELECT type, used, sum, value, key FROM \(table.rawValue) WHERE key >= ?1 ORDER BY key"
    case .remove(let table):
      "DELETE FROM \(table.rawValue) WHERE key = ?1 AND note(length(key) + length(value))"
    case .touch(let table):
      "UPDATE \(table.rawValue) SET used = ?2 WHERE key = ?1 AND used < ?2"
    case .clear(let table): "DELETE FROM \(table.rawValue)"
    case .keys: "SELECT key FROM records"
    case .keysOfType:
      // A name can have several numbers, if one storage has removed it and another has kept its number,
      // which is not in the file then.
      "SELECT key FROM records WHERE type = ?1 OR type IN (SELECT number FROM names "
        + "WHERE name = coalesce(?2, (SELECT name FROM names WHERE number = ?1)))"
    case .keysBetween: "SELECT key FROM records WHERE key >= ?1 AND key < ?2"
    case .scan:
      "SELECT key, used FROM records WHERE key > ?1 ORDER BY key LIMIT ?2"
    case .collect:
      """
      DELETE FROM records WHERE key = ?1 AND used = ?2 AND note(length(key) + length(value))
      """
    case .logChange: "REPLACE INTO changes VALUES (?1, ?2, ?3, ?4)"
    case .changes:
      "SELECT sequence, origin, keys FROM changes WHERE sequence > ?1 ORDER BY sequence"
    case .clearChanges: "DELETE FROM changes"
    case .documents: "SELECT key, type, used, sum, value FROM documents ORDER BY used, key"
    case .savedDocuments: "SELECT key, type, used FROM documents"
    }
  }
}
