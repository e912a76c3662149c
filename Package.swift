// swift-tools-version: 6.2
import PackageDescription

/// One list of settings for every target, so that no module is held to less than another.
var strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// Xcode and `swiftbuild` compile dependencies with `-suppress-warnings`, which does not go together
// with warnings as errors. So only the checks of this package set this variable.
if Context.environment["WEIR_STRICT"] != nil {
  strict.append(.treatAllWarnings(as: .error))
}

// Linux starts some tasks at once, as the newest systems of Apple do. Older ones cannot; with this
// variable the tests run in their order of events.
let ordering: [SwiftSetting] =
  Context.environment["WEIR_DEFERRED_TASKS"] != nil ? [.define("WEIR_DEFERRED_TASKS")] : []

let package = Package(
  name: "Weir",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "Weir", targets: ["Weir", "GraphQLLanguage"]),
    .library(name: "GraphQLValidation", targets: ["GraphQLValidation", "GraphQLLanguage"]),
    .library(name: "WeirNormalized", targets: ["WeirNormalized"]),
    .library(name: "WeirSQLite", targets: ["WeirSQLite"]),
    .library(name: "WeirCurl", targets: ["WeirCurl"]),
    .library(name: "WeirTesting", targets: ["WeirTesting"]),
    .library(name: "WeirLocalServer", targets: ["WeirLocalServer"]),
    .executable(name: "weir", targets: ["WeirTool"]),
    .plugin(name: "WeirCodegen", targets: ["WeirCodegen"]),
    .plugin(name: "WeirCommand", targets: ["WeirCommand"]),
  ],
  dependencies: [],
  targets: [
    .target(name: "GraphQLLanguage", swiftSettings: strict),
    .target(
      name: "GraphQLValidation", dependencies: ["GraphQLLanguage"], swiftSettings: strict),
    .target(name: "WeirSupport", swiftSettings: strict + ordering),
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
    // The system libraries are without `pkgConfig`: every system has the headers where the compiler looks.
    // Homebrew's settings would bring another SQLite than the system's, and a build for another system
    // would get those of this one. The shims name the packages that are missing.
    .systemLibrary(name: "CSQLite"),
    .target(
      name: "WeirSQLite", dependencies: ["Weir", "WeirNormalized", "CSQLite"],
      // The App Store asks for the reason why an app calls `stat`.
      resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: strict),
    .systemLibrary(name: "CCurl"),
    // Elsewhere than on Linux and macOS there is no libcurl, and the module is empty.
    .target(
      name: "WeirCurl",
      dependencies: [
        "Weir", .target(name: "CCurl", condition: .when(platforms: [.linux, .macOS])),
      ],
      swiftSettings: strict),
    .target(
      name: "WeirLocalServer", dependencies: ["Weir", "GraphQLLanguage", "GraphQLValidation"],
      swiftSettings: strict),
    .target(
      name: "WeirTesting", dependencies: ["WeirLocalServer", "Weir", "WeirNormalized"],
      swiftSettings: strict),
    .target(
      name: "WeirGeneration", dependencies: ["GraphQLLanguage", "GraphQLValidation"],
      swiftSettings: strict),
    .target(name: "CCounts", path: "Benchmarks/CCounts"),
    .executableTarget(
      name: "weir-generate",
      dependencies: ["WeirGeneration", "WeirSupport", "GraphQLValidation", "GraphQLLanguage"],
      swiftSettings: strict),
    // A folder `weir` or a module of that name would be the same as `Weir` on many file systems.
    .executableTarget(
      name: "WeirTool",
      dependencies: ["Weir", "WeirGeneration", "GraphQLValidation", "GraphQLLanguage"],
      swiftSettings: strict),
    .plugin(
      name: "WeirCodegen", capability: .buildTool(), dependencies: ["weir-generate"],
      path: "Sources/WeirCodegen"),
    // Without the permission to use the network: every verb would have to ask for it.
    .plugin(
      name: "WeirCommand",
      capability: .command(
        intent: .custom(
          verb: "weir",
          description: "Checks GraphQL documents and schemas, and generates Swift types from them."),
        permissions: [
          .writeToPackageDirectory(
            reason: "weir writes generated types, schemas, manifests and formatted documents.")
        ]),
      dependencies: ["WeirTool"], path: "Sources/WeirCommand"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Weir", "WeirCurl", "WeirNormalized", "WeirSQLite", "WeirTesting", "GraphQLLanguage",
        "CCounts",
      ],
      path: "Benchmarks", exclude: ["CCounts", "Documents"],
      resources: [.embedInCode("Budgets.json")], swiftSettings: strict),
    .executableTarget(
      name: "Quickstart", dependencies: ["Weir", "WeirLocalServer"], swiftSettings: strict),
    .executableTarget(
      name: "QuickstartTyped", dependencies: ["Weir", "WeirNormalized", "WeirLocalServer"],
      resources: [.embedInCode("schema.graphqls")], swiftSettings: strict,
      plugins: ["WeirCodegen"]),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "GraphQLLanguageTests", dependencies: ["GraphQLLanguage", "TestSupport"],
      resources: [.copy("Data")], swiftSettings: strict),
    .testTarget(
      name: "GraphQLValidationTests",
      dependencies: ["GraphQLValidation", "GraphQLLanguage", "TestSupport"],
      exclude: ["Expectations"], resources: [.copy("Data")], swiftSettings: strict),
    .testTarget(
      name: "WeirTests", dependencies: ["Weir", "WeirTesting", "GraphQLLanguage", "TestSupport"],
      resources: [.copy("Corpus")], swiftSettings: strict),
    .target(name: "CEnqueueCount", path: "Tests/CEnqueueCount"),
    .testTarget(
      name: "WeirNormalizedTests",
      dependencies: [
        "WeirNormalized", "WeirRecords", "WeirSQLite", "Weir", "WeirTesting", "CEnqueueCount",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WeirSQLiteTests",
      dependencies: [
        "WeirSQLite", "WeirNormalized", "Weir", "WeirTesting", "StorageWriter", "CSQLite",
        "TestSupport",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "StorageWriter", dependencies: ["WeirSQLite", "WeirNormalized", "Weir", "CSQLite"],
      path: "Tests/StorageWriter", swiftSettings: strict),
    .testTarget(
      name: "WeirTestingTests",
      dependencies: ["Weir", "WeirTesting", "GraphQLLanguage", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "WeirGenerationTests",
      dependencies: [
        "WeirGeneration", "WeirTool", "GraphQLValidation", "GraphQLLanguage", "WeirNormalized",
        "Weir", "WeirTesting", "TestSupport",
      ],
      exclude: ["Documents"],
      swiftSettings: strict),
    // What `.ci/random-documents` links with the code that it generates.
    .target(
      name: "RandomDocuments",
      dependencies: ["Weir", "WeirTesting", "GraphQLValidation", "GraphQLLanguage"],
      path: "Tests/RandomDocuments", swiftSettings: strict),
    .testTarget(
      name: "WeirToolTests",
      dependencies: [
        "WeirTool", "WeirGeneration", "GraphQLValidation", "GraphQLLanguage", "Weir", "WeirSupport",
        "WeirTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "IntegrationTests", dependencies: ["Weir", "WeirCurl", "WeirTesting", "TestSupport"],
      resources: [.copy("Server")], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
