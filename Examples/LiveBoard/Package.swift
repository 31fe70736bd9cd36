// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "LiveBoard",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "live-board", targets: ["live-board"])],
  dependencies: [
    .package(name: "Flask", path: "../.."),
    .package(name: "Stores", path: "../../Stores"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "LiveBoard",
      dependencies: [
        .product(name: "FlaskActions", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "FlaskFeed", package: "Flask"),
        .product(name: "FlaskSharing", package: "Flask"),
        .product(name: "FlaskViews", package: "Flask"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      resources: [
        .embedInCode("Page/index.html"), .embedInCode("Page/board.css"), .embedInCode("Page/board.js"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "live-board",
      dependencies: [
        "LiveBoard",
        .product(name: "FlaskActions", package: "Flask"),
        .product(name: "FlaskSharing", package: "Flask"),
        .product(name: "FlaskPostgres", package: "Stores"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "LiveBoardTests",
      dependencies: [
        "LiveBoard",
        .product(name: "FlaskActions", package: "Flask"),
        .product(name: "FlaskCore", package: "Flask"),
        .product(name: "FlaskEntities", package: "Flask"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      swiftSettings: strict
    ),
  ]
)
