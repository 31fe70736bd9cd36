// swift-tools-version: 6.1
import PackageDescription

// A module named Combine, for type-checking on Linux what stands behind `canImport(Combine)`. See
// Scripts/check-stand-ins.sh.
let package = Package(
  name: "CombineCheck",
  products: [.library(name: "Combine", targets: ["Combine"])],
  dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
  targets: [
    .target(name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")])
  ]
)
