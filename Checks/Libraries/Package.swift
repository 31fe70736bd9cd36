// swift-tools-version: 6.1
import PackageDescription

// States with values of other packages, and of Foundation. See Scripts/check-libraries.sh.
let package = Package(
  name: "LibraryCheck",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Flask", path: "../.."),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/attaswift/BigInt", exact: "6.0.1"),
  ],
  targets: [
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        .product(name: "Flask", package: "Flask"),
        .product(name: "FlaskHistory", package: "Flask"),
        .product(name: "Collections", package: "swift-collections"),
        .product(name: "BigInt", package: "BigInt"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]
    )
  ]
)
