// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "FlaskSample", targets: ["FlaskSample"]),
    .executable(name: "TodoList", targets: ["TodoList"]),
  ],
  dependencies: [
    .package(name: "Flask", path: ".."),
    .package(name: "Inspector", path: "../Inspector"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/swiftcsv/SwiftCSV", from: "0.10.0"),
  ],
  targets: [
    .target(
      name: "Flights",
      dependencies: [
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "SwiftCSV", package: "SwiftCSV"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "FlaskSample",
      dependencies: [
        "Flights",
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskInsight", package: "Flask"),
        .product(name: "FlaskInspector", package: "Inspector"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      exclude: ["Resources/README.md"],
      resources: [.copy("Resources/flights.jsonl"), .copy("Resources/airlines.csv")],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "TodoList",
      dependencies: [
        .product(name: "FlaskDerived", package: "Flask"), .product(name: "FlaskScopes", package: "Flask"),
      ],
      swiftSettings: strict
    ),
    .testTarget(name: "FlightsTests", dependencies: ["Flights"], swiftSettings: strict),
    .testTarget(
      name: "FlaskSampleTests",
      dependencies: [
        "FlaskSample", "Flights",
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskInsight", package: "Flask"),
        .product(name: "FlaskTesting", package: "Flask"),
      ],
      swiftSettings: strict
    ),
  ]
)
