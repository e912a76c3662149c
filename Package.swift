// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every target, so that no module is held to less than another.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Weir",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Weir", targets: ["Weir", "GraphQLLanguage"]),
    .library(name: "WeirNormalized", targets: ["WeirNormalized"]),
    .library(name: "WeirSQLite", targets: ["WeirSQLite"]),
    .library(name: "WeirTesting", targets: ["WeirTesting"]),
    .library(name: "WeirLocalServer", targets: ["WeirLocalServer"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "GraphQLLanguage", swiftSettings: strict),
    .target(name: "WeirSupport", swiftSettings: strict),
    .target(name: "WeirJSON", dependencies: ["WeirSupport"], swiftSettings: strict),
    .target(
      name: "Weir", dependencies: ["WeirSupport", "WeirJSON", "GraphQLLanguage"],
      swiftSettings: strict),
    // Internal, no product: what a normalized cache keeps, and how it is read and written.
    .target(
      name: "WeirRecords", dependencies: ["Weir", "GraphQLLanguage"], swiftSettings: strict),
    .target(
      name: "WeirNormalized", dependencies: ["WeirRecords", "Weir", "GraphQLLanguage"],
      swiftSettings: strict),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "WeirSQLite", dependencies: ["Weir", "WeirNormalized", "CSQLite"],
      swiftSettings: strict),
    .target(
      name: "WeirLocalServer", dependencies: ["Weir", "GraphQLLanguage"], swiftSettings: strict),
    .target(
      name: "WeirTesting", dependencies: ["WeirLocalServer", "Weir", "WeirNormalized"],
      swiftSettings: strict),
    .target(name: "CAllocationCount", path: "Benchmarks/CAllocationCount"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Weir", "WeirNormalized", "WeirSQLite", "WeirTesting", "GraphQLLanguage",
        "CAllocationCount",
      ],
      path: "Benchmarks", exclude: ["CAllocationCount"],
      resources: [.embedInCode("Budgets.json")], swiftSettings: strict),
    .executableTarget(
      name: "Quickstart", dependencies: ["Weir", "WeirLocalServer"], swiftSettings: strict),
    .testTarget(
      name: "GraphQLLanguageTests", dependencies: ["GraphQLLanguage"],
      resources: [.copy("Data")], swiftSettings: strict),
    .testTarget(
      name: "WeirTests", dependencies: ["Weir", "WeirTesting", "GraphQLLanguage"],
      resources: [.copy("Corpus")], swiftSettings: strict),
    .testTarget(
      name: "WeirNormalizedTests",
      dependencies: ["WeirNormalized", "WeirRecords", "WeirSQLite", "Weir", "WeirTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "WeirSQLiteTests",
      dependencies: [
        "WeirSQLite", "WeirNormalized", "Weir", "WeirTesting", "StorageWriter", "CSQLite",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "StorageWriter", dependencies: ["WeirSQLite", "WeirNormalized", "Weir", "CSQLite"],
      path: "Tests/StorageWriter", swiftSettings: strict),
    .testTarget(
      name: "WeirTestingTests", dependencies: ["Weir", "WeirTesting", "GraphQLLanguage"],
      swiftSettings: strict),
    .testTarget(
      name: "IntegrationTests", dependencies: ["Weir", "WeirTesting"], resources: [.copy("Server")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
