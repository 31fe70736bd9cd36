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
  products: [.library(name: "FlaskSQLite", targets: ["FlaskSQLite"])],
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
    // A process that shares a group, for proofs with many of them.
    .executableTarget(
      name: "SharedWorker",
      dependencies: ["FlaskSQLite", .product(name: "Flask", package: "Flask")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FlaskSQLiteTests",
      dependencies: [
        "FlaskSQLite", "SharedWorker",
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskTesting", package: "Flask"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
  ]
)
