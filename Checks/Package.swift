// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Checks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Flask", path: "..")],
  targets: [
    .target(name: "SeededNumbers", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "archive-check",
      dependencies: [
        "SeededNumbers", .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskArchive", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "archive-latency",
      dependencies: [
        .product(name: "FlaskCore", package: "Flask"), .product(name: "FlaskArchive", package: "Flask"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "format-check",
      dependencies: [
        .product(name: "Flask", package: "Flask"), .product(name: "FlaskHistory", package: "Flask"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "journey",
      dependencies: [.product(name: "Flask", package: "Flask")],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "json-patch-check",
      dependencies: [
        "SeededNumbers", .product(name: "FlaskInsight", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .systemLibrary(name: "Malloc"),
    .executableTarget(
      name: "leak-check",
      dependencies: ["Malloc", "SeededNumbers", .product(name: "Flask", package: "Flask")],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
    .executableTarget(
      name: "thread-check",
      dependencies: [
        .product(name: "Flask", package: "Flask"), .product(name: "FlaskInsight", package: "Flask"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    ),
  ]
)
