import Testing
import Weir
import WeirNormalized
import WeirSQLite
import WeirTesting

/// A file as the first version with these tables has written it. It must not be adapted to a change: see the
/// article Internals, "Formats that outlive the process".
@Suite("A file of an earlier version", .timeLimit(.minutes(10)))
struct SavedFileTests {
  /// What `sqlite3` writes for `.dump`, with the two numbers of the header.
  private static let dump = """
    PRAGMA application_id = 1466263922;
    PRAGMA user_version = 2;
    BEGIN TRANSACTION;
    CREATE TABLE changes (slot INTEGER PRIMARY KEY, sequence INTEGER NOT NULL,
    origin INTEGER NOT NULL, keys BLOB);
    INSERT INTO "changes" VALUES(1,1,1396375324,X'5B22546F646F3A31222C22417574686F723A37222C225155\
    4552595F524F4F543A746F646F73222C224C4541524E4544225D');
    CREATE TABLE documents (key BLOB PRIMARY KEY NOT NULL, type INTEGER NOT NULL,
    used INTEGER NOT NULL, sum INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
    INSERT INTO "documents" VALUES(X'CEC32666CE788ED53BBED62F47052FB9',1639010145,1,1249433888,X'7\
    B2264617461223A227B5C226D655C223A7B5C225F5F747970656E616D655C223A5C22557365725C222C5C2269645C2\
    23A5C22315C222C5C226E616D655C223A5C22416E6E5C227D7D222C226E616D6573223A5B2255736572225D2C22726\
    56365697665644174223A3831373538343437392E302C2274657874223A227B5C6E20206D65207B5C6E20202020696\
    45C6E202020206E616D655C6E202020205F5F747970656E616D655C6E20207D5C6E7D222C22756E6B6E6F776E46696\
    56C6473223A5B5D2C227661726961626C6573223A227B7D227D');
    CREATE TABLE fingerprints (type TEXT PRIMARY KEY NOT NULL, fingerprint TEXT NOT NULL);
    INSERT INTO "fingerprints" VALUES('Todo','1');
    CREATE TABLE names (number INTEGER PRIMARY KEY, name BLOB NOT NULL, sum INTEGER NOT NULL);
    INSERT INTO "names" VALUES(1,X'546F646F',-594472863);
    INSERT INTO "names" VALUES(2,X'6964',622326833);
    INSERT INTO "names" VALUES(3,X'74657874',-123027599);
    INSERT INTO "names" VALUES(4,X'617574686F72',-1181994312);
    INSERT INTO "names" VALUES(5,X'417574686F72',-1084253984);
    INSERT INTO "names" VALUES(6,X'6E616D65',-1628550496);
    INSERT INTO "names" VALUES(7,X'51554552595F524F4F54',-1508046416);
    INSERT INTO "names" VALUES(8,X'746F646F73',-495960633);
    INSERT INTO "names" VALUES(9,X'5175657279',-457174345);
    CREATE TABLE records (key BLOB PRIMARY KEY NOT NULL, type INTEGER NOT NULL,
    used INTEGER NOT NULL, sum INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
    INSERT INTO "records" VALUES(X'417574686F723A37',5,2,-154896137,X'010002030005013707000503416E\
    6E');
    INSERT INTO "records" VALUES(X'4C4541524E4544',0,2,-1670340522,X'01000204546F646F06417574686F7\
    200010A51554552595F524F4F5405746F646F7304546F646F00');
    INSERT INTO "records" VALUES(X'51554552595F524F4F543A746F646F73',9,2,-1867279832,X'01000109000\
    90107010131');
    INSERT INTO "records" VALUES(X'546F646F3A31',1,2,-1227407298,X'0100030300050131040005067465787\
    42031050007050137');
    CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER, sequence INTEGE\
    R,
    records INTEGER, bytes INTEGER, nextname INTEGER, epoch INTEGER, clean INTEGER, sum INTEGER);
    INSERT INTO "state" VALUES(1,2290047648,1,4,127,10,0,1,302663196);
    COMMIT;
    """

  @Test("Records, names and results of a document cache in a saved file are read (N9.1)")
  func read() async throws {
    let file = try TestFile(inMemory: true)
    try file.sql(Self.dump)
    let storage = file.storage { $0.fingerprints = ["Todo": "1"] }
    #expect(try storage.size().records == 4)
    #expect(
      await NormalizedStore(storage: storage).load(Todos.all)?.value
        == ["todos": [Todos.todo("1")]])
    let cache = DocumentCacheExchange()
    #expect(cache.restore(try storage.documentCacheSnapshot()) == 1)
    let me = GraphQLClient([cache]).peek(GraphQLOperation("{ me { id name } }"))
    #expect(me?.data?["me"]?["name"]?.string == "Ann")
    storage.close()
    #expect(file.codes == [])
  }
}
