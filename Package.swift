// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A library target with the settings that all have.
func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A target of tests with the settings that all have.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "Flask",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Flask", targets: ["Flask"]),
    .library(name: "FlaskCore", targets: ["FlaskCore"]),
    .library(name: "FlaskActions", targets: ["FlaskActions"]),
    .library(name: "FlaskScopes", targets: ["FlaskScopes"]),
    .library(name: "FlaskDerived", targets: ["FlaskDerived"]),
    .library(name: "FlaskViews", targets: ["FlaskViews"]),
    .library(name: "FlaskArchive", targets: ["FlaskArchive"]),
    .library(name: "FlaskSwift5", targets: ["FlaskSwift5"]),
    .library(name: "FlaskSwiftUI", targets: ["FlaskSwiftUI"]),
    .library(name: "FlaskHistory", targets: ["FlaskHistory"]),
    .library(name: "FlaskInsight", targets: ["FlaskInsight"]),
    .library(name: "FlaskFeed", targets: ["FlaskFeed"]),
    .library(name: "FlaskTesting", targets: ["FlaskTesting"]),
    .library(name: "FlaskRefs", targets: ["FlaskRefs"]),
    .library(name: "FlaskEntities", targets: ["FlaskEntities"]),
    .library(name: "FlaskDiff", targets: ["FlaskDiff"]),
  ],
  targets: [
    // What several modules need and no user sees: the lock, JSON text.
    target("FlaskPrimitives", []),
    target("FlaskDiff", []),
    target("FlaskEntities", ["FlaskDiff"]),
    target("FlaskRefs", ["FlaskDiff", "FlaskPrimitives"]),
    target("FlaskCore", ["FlaskDiff", "FlaskPrimitives"]),
    target("FlaskScopes", ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives"]),
    target("FlaskActions", ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives"]),
    target("FlaskDerived", ["FlaskCore", "FlaskDiff", "FlaskPrimitives"]),
    target(
      "FlaskViews",
      ["FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskPrimitives", "FlaskScopes"]
    ),
    // What becomes of a state that two have changed. No user sees it.
    target("FlaskMerging", ["FlaskCore", "FlaskEntities"]),
    // How a state becomes text, and a state again. Who archives or undoes imports it.
    target("FlaskCoding", ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskMerging", "FlaskPrimitives"]),
    target(
      "FlaskArchive",
      ["FlaskCoding", "FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskMerging", "FlaskPrimitives"]
    ),
    // The overloads for clients in Swift 5 mode.
    target(
      "FlaskSwift5",
      [
        "FlaskActions", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskScopes",
        "FlaskViews",
      ]
    ),
    target(
      "FlaskSwiftUI",
      [
        "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskEntities", "FlaskScopes",
        "FlaskSwift5",
      ]
    ),
    target("FlaskHistory", ["FlaskCoding", "FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives"]),
    target(
      "FlaskInsight",
      [
        "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities",
        "FlaskHistory", "FlaskPrimitives", "FlaskScopes", "FlaskSwift5",
      ]
    ),
    target("FlaskFeed", ["FlaskCore", "FlaskHistory"]),
    target(
      "FlaskTesting",
      [
        "FlaskInsight", "FlaskActions", "FlaskCore", "FlaskDerived", "FlaskArchive", "FlaskDiff",
        "FlaskEntities", "FlaskPrimitives",
      ]
    ),
    target(
      "Flask",
      [
        "FlaskActions", "FlaskCore", "FlaskDerived", "FlaskRefs", "FlaskArchive", "FlaskDiff",
        "FlaskEntities", "FlaskScopes", "FlaskSwift5", "FlaskViews",
      ]
    ),

    tests("FlaskPrimitivesTests", ["FlaskPrimitives"]),
    tests("FlaskDiffTests", ["FlaskDiff"]),
    tests("FlaskEntitiesTests", ["FlaskEntities", "FlaskDiff"]),
    tests("FlaskCodingTests", ["FlaskCoding", "FlaskCore", "FlaskPrimitives"]),
    tests(
      "FlaskArchiveTests",
      ["FlaskArchive", "FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives", "FlaskTesting"]
    ),
    tests("FlaskRefsTests", ["FlaskRefs", "FlaskDiff", "FlaskPrimitives"]),
    tests(
      "FlaskCoreTests",
      [
        "FlaskCore", "FlaskActions", "FlaskArchive", "FlaskDerived", "FlaskDiff", "FlaskEntities",
        "FlaskMerging", "FlaskPrimitives", "FlaskScopes",
      ]
    ),
    tests(
      "FlaskViewsTests",
      [
        "FlaskViews", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskHistory",
        "FlaskPrimitives", "FlaskScopes",
      ]
    ),
    tests(
      "FlaskHistoryTests",
      [
        "FlaskHistory", "FlaskActions", "FlaskArchive", "FlaskCoding", "FlaskCore", "FlaskDiff",
        "FlaskEntities", "FlaskInsight", "FlaskPrimitives",
      ]
    ),
    tests(
      "FlaskInsightTests",
      [
        "FlaskInsight", "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskDiff",
        "FlaskEntities",
        "FlaskPrimitives", "FlaskScopes",
      ]
    ),
    tests(
      "FlaskFeedTests",
      ["FlaskFeed", "FlaskCoding", "FlaskCore", "FlaskDerived", "FlaskHistory", "FlaskScopes"]
    ),
    tests("FlaskTestingTests", ["Flask", "FlaskTesting", "FlaskActions", "FlaskArchive", "FlaskPrimitives"]),
    tests("FlaskTests", ["Flask"]),
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
