// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Flask", path: ".."),
    .package(name: "Stores", path: "../Stores"),
    .package(url: "https://github.com/google/swift-benchmark", from: "0.1.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "BenchmarkStates",
      dependencies: [.product(name: "FlaskCore", package: "Flask")],
      swiftSettings: strict
    ),
    .target(name: "BenchmarkSink", swiftSettings: strict),
    .target(name: "HandWritten", dependencies: ["BenchmarkStates"], swiftSettings: strict),
    .target(name: "OtherStores", dependencies: ["BenchmarkStates"], swiftSettings: strict),
    .target(
      name: "Swift5Client",
      dependencies: [
        "BenchmarkSink", "BenchmarkStates", "HandWritten", .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskSwift5", package: "Flask"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .target(name: "Processor"),
    .target(name: "CountingMalloc"),
    .executableTarget(
      name: "flask-benchmarks",
      dependencies: [
        "BenchmarkSink",
        "BenchmarkStates",
        "HandWritten",
        "OtherStores",
        "Processor",
        "Swift5Client",
        .product(name: "FlaskActions", package: "Flask"),
        .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskArchive", package: "Flask"),
        .product(name: "FlaskDerived", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "FlaskInsight", package: "Flask"),
        .product(name: "FlaskScopes", package: "Flask"),
        .product(name: "FlaskViews", package: "Flask"),
        .product(name: "Benchmark", package: "swift-benchmark"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/FlaskBenchmarks",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "flask-allocations",
      dependencies: [
        "BenchmarkSink",
        "BenchmarkStates",
        "CountingMalloc",
        "Swift5Client",
        .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskDiff", package: "Flask"),
        .product(name: "FlaskInsight", package: "Flask"),
        .product(name: "FlaskViews", package: "Flask"),
      ],
      path: "Sources/FlaskAllocations",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "flask-lifetimes",
      dependencies: [
        .product(name: "FlaskActions", package: "Flask"),
        .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "FlaskScopes", package: "Flask"),
      ],
      path: "Sources/FlaskLifetimes",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "flask-entities",
      dependencies: [
        "CountingMalloc",
        "Processor",
        .product(name: "FlaskDiff", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      path: "Sources/FlaskEntities",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "flask-durable",
      dependencies: [
        "Processor",
        .product(name: "FlaskArchive", package: "Flask"),
        .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/FlaskDurable",
      swiftSettings: strict
    ),
    .executableTarget(
      name: "flask-sharing",
      dependencies: [
        "Processor",
        .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "FlaskSharing", package: "Flask"),
        .product(name: "FlaskPostgres", package: "Stores"),
        .product(name: "FlaskSQLite", package: "Stores"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/FlaskSharing",
      swiftSettings: strict
    ),
  ]
)
