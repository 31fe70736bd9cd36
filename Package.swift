// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Flask",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Flask", targets: ["Flask"]),
    .library(name: "FlaskCore", targets: ["FlaskCore"]),
    .library(name: "FlaskSwiftUI", targets: ["FlaskSwiftUI"]),
    .library(name: "FlaskInsight", targets: ["FlaskInsight"]),
    .library(name: "FlaskTesting", targets: ["FlaskTesting"]),
    .library(name: "FlaskRefs", targets: ["FlaskRefs"]),
    .library(name: "FlaskArchive", targets: ["FlaskArchive"]),
    .library(name: "FlaskEntities", targets: ["FlaskEntities"]),
    .library(name: "FlaskDiff", targets: ["FlaskDiff"]),
  ],
  targets: [
    .target(name: "FlaskDiff", swiftSettings: strict),
    .target(name: "FlaskEntities", dependencies: ["FlaskDiff"], swiftSettings: strict),
    .target(name: "FlaskArchive", dependencies: ["FlaskDiff", "FlaskEntities"], swiftSettings: strict),
    .target(name: "FlaskRefs", dependencies: ["FlaskDiff"], swiftSettings: strict),
    .target(
      name: "FlaskCore",
      dependencies: ["FlaskDiff", "FlaskEntities", "FlaskArchive"],
      swiftSettings: strict
    ),
    .target(name: "FlaskSwiftUI", dependencies: ["FlaskCore"], swiftSettings: strict),
    .target(
      name: "FlaskInsight",
      dependencies: ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskArchive"],
      swiftSettings: strict
    ),
    .target(
      name: "FlaskTesting",
      dependencies: ["FlaskInsight", "FlaskCore", "FlaskArchive", "FlaskDiff"],
      swiftSettings: strict
    ),
    .target(
      name: "Flask",
      dependencies: ["FlaskCore", "FlaskRefs", "FlaskArchive", "FlaskEntities", "FlaskDiff"],
      swiftSettings: strict
    ),

    .testTarget(name: "FlaskDiffTests", dependencies: ["FlaskDiff"], swiftSettings: strict),
    .testTarget(
      name: "FlaskEntitiesTests",
      dependencies: ["FlaskEntities", "FlaskDiff"],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FlaskArchiveTests",
      dependencies: ["FlaskArchive", "FlaskDiff", "FlaskEntities", "FlaskTesting"],
      swiftSettings: strict
    ),
    .testTarget(name: "FlaskRefsTests", dependencies: ["FlaskRefs"], swiftSettings: strict),
    .testTarget(name: "FlaskCoreTests", dependencies: ["FlaskCore", "FlaskEntities"], swiftSettings: strict),
    .testTarget(
      name: "FlaskInsightTests",
      dependencies: ["FlaskInsight", "FlaskArchive", "FlaskEntities"],
      swiftSettings: strict
    ),
    .testTarget(name: "FlaskTestingTests", dependencies: ["FlaskTesting"], swiftSettings: strict),
    .testTarget(name: "FlaskTests", dependencies: ["Flask"], swiftSettings: strict),
    // The same sources in both language modes: the plugin gives those of SeedTests5 to SeedTests6.
    .testTarget(name: "SeedTests5", dependencies: ["Flask"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "SeedTests6",
      dependencies: ["Flask"],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("InferIsolatedConformances")],
      plugins: ["SeedSources"]
    ),
    .plugin(name: "SeedSources", capability: .buildTool()),
  ]
)
