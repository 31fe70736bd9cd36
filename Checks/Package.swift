// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Checks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Flask", path: "..")],
  targets: [
    .executableTarget(
      name: "archive-check",
      dependencies: [.product(name: "FlaskArchive", package: "Flask")],
      swiftSettings: [.swiftLanguageMode(.v6)]
    )
  ]
)
