// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let page = [
  "index.html", "inspector.css", "model.js", "search.js", "tree.js", "elements.js", "timeline.js",
  "operation.js",
  "state.js", "tables.js", "source.js", "travel.js", "keys.js", "main.js",
]

let package = Package(
  name: "Inspector",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "FlaskInspector", targets: ["FlaskInspector"]),
    .library(name: "FlaskLogging", targets: ["FlaskLogging"]),
    .library(name: "FlaskMetrics", targets: ["FlaskMetrics"]),
    .library(name: "FlaskDistributedTracing", targets: ["FlaskDistributedTracing"]),
    .executable(name: "flask-inspector", targets: ["flask-inspector"]),
  ],
  dependencies: [
    .package(name: "Flask", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
  ],
  targets: [
    .target(
      name: "FlaskInspector",
      dependencies: [
        .product(name: "FlaskArchive", package: "Flask"),
        .product(name: "FlaskInsight", package: "Flask"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      // Part of the program, so that it works wherever it is copied to.
      resources: page.map { .embedInCode("Page/\($0)") },
      swiftSettings: strict
    ),
    // Bridges to what servers watch themselves with.
    .target(
      name: "Following",
      dependencies: [.product(name: "FlaskInsight", package: "Flask")],
      swiftSettings: strict
    ),
    .target(
      name: "FlaskLogging",
      dependencies: ["Following", .product(name: "Logging", package: "swift-log")],
      swiftSettings: strict
    ),
    .target(
      name: "FlaskMetrics",
      dependencies: ["Following", .product(name: "CoreMetrics", package: "swift-metrics")],
      swiftSettings: strict
    ),
    .target(
      name: "FlaskDistributedTracing",
      dependencies: ["Following", .product(name: "Tracing", package: "swift-distributed-tracing")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "flask-inspector",
      dependencies: [
        "FlaskInspector",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "inspector-check",
      dependencies: ["FlaskInspector", .product(name: "FlaskInsight", package: "Flask")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FlaskInspectorTests",
      dependencies: ["FlaskInspector", .product(name: "FlyingFox", package: "FlyingFox")],
      resources: [.copy("Fixtures/sample.flask")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "BridgesTests",
      dependencies: [
        "FlaskLogging", "FlaskMetrics", "FlaskDistributedTracing",
        .product(name: "FlaskHistory", package: "Flask"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
      swiftSettings: strict
    ),
  ]
)
