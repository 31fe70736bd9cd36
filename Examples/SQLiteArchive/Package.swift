// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "SQLiteArchive",
  platforms: [.macOS(.v15)],
  products: [.library(name: "SQLiteArchive", targets: ["SQLiteArchive"])],
  dependencies: [
    .package(name: "Flask", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .target(
      name: "SQLiteArchive",
      dependencies: [
        .product(name: "FlaskArchive", package: "Flask"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "SQLiteArchiveTests",
      dependencies: [
        "SQLiteArchive",
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskTesting", package: "Flask"),
      ],
      swiftSettings: strict
    ),
  ]
)
