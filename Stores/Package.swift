// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Stores",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FlaskSQLite", targets: ["FlaskSQLite"]),
    .library(name: "FlaskPostgres", targets: ["FlaskPostgres"]),
  ],
  dependencies: [
    .package(name: "Flask", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "FlaskSQLite",
      dependencies: [
        .product(name: "FlaskSharing", package: "Flask"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    // The library of the system: Debian's libpq-dev, Homebrew's libpq.
    .systemLibrary(
      name: "CPostgres",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),
    .target(
      name: "FlaskPostgres",
      dependencies: ["CPostgres", .product(name: "FlaskSharing", package: "Flask")],
      swiftSettings: strict
    ),
    // A process that shares a group, for proofs with many of them.
    .executableTarget(
      name: "SharedWorker",
      dependencies: ["FlaskSQLite", "FlaskPostgres", .product(name: "Flask", package: "Flask")],
      swiftSettings: strict
    ),
    .target(name: "StoreTestSupport", path: "Tests/StoreTestSupport", swiftSettings: strict),
    .testTarget(
      name: "FlaskSQLiteTests",
      dependencies: [
        "FlaskSQLite", "SharedWorker", "StoreTestSupport",
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskTesting", package: "Flask"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FlaskPostgresTests",
      dependencies: [
        "FlaskPostgres", "SharedWorker", "StoreTestSupport",
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskTesting", package: "Flask"),
      ],
      swiftSettings: strict
    ),
  ]
)
