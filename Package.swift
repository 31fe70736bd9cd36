// swift-tools-version: 6.1
import PackageDescription

/// The modules, each after those that it depends on.
let modules: KeyValuePairs<String, [String]> = [
  "FlaskPrimitives": [],
  "FlaskDiff": [],
  "FlaskEntities": ["FlaskDiff"],
  "FlaskRefs": ["FlaskDiff", "FlaskPrimitives"],
  "FlaskCore": ["FlaskDiff", "FlaskPrimitives"],
  "FlaskScopes": ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives"],
  "FlaskActions": ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives", "FlaskScopes"],
  "FlaskDerived": ["FlaskCore", "FlaskDiff", "FlaskPrimitives"],
  "FlaskViews": [
    "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskPrimitives", "FlaskScopes",
  ],
  "FlaskMerging": ["FlaskCore", "FlaskEntities"],
  "FlaskCoding": ["FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskMerging", "FlaskPrimitives"],
  "FlaskSharing": [
    "FlaskCoding", "FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskMerging", "FlaskPrimitives",
  ],
  "FlaskArchive": [
    "FlaskCoding", "FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskMerging", "FlaskPrimitives",
  ],
  "FlaskSwift5": [
    "FlaskActions", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskScopes", "FlaskViews",
  ],
  "FlaskSwiftUI": [
    "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskEntities", "FlaskScopes",
    "FlaskSwift5",
  ],
  "FlaskHistory": ["FlaskCoding", "FlaskCore", "FlaskDiff", "FlaskEntities", "FlaskPrimitives"],
  "FlaskInsight": [
    "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskHistory",
    "FlaskPrimitives", "FlaskScopes", "FlaskSwift5",
  ],
  "FlaskFeed": ["FlaskCore", "FlaskHistory"],
  "FlaskTesting": [
    "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskInsight",
    "FlaskPrimitives", "FlaskSharing",
  ],
  "Flask": [
    "FlaskActions", "FlaskArchive", "FlaskCore", "FlaskDerived", "FlaskDiff", "FlaskEntities", "FlaskRefs",
    "FlaskScopes", "FlaskSwift5", "FlaskViews",
  ],
]

/// The modules that no user imports: the lock and JSON text, merging, and how a state becomes text and a state again.
let withoutProduct = ["FlaskPrimitives", "FlaskMerging", "FlaskCoding"]

/// The modules whose tests are built: all, or the one that FLASK_MODULE names. See Scripts/test.sh.
let tested = modules.map(\.key).filter { [$0, nil].contains(Context.environment["FLASK_MODULE"]) }

precondition(!tested.isEmpty, "FLASK_MODULE names no module")

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A module and all that it depends on.
func below(_ module: String) -> Set<String> {
  Set(modules.filter { $0.key == module }.flatMap(\.value).flatMap(below) + [module])
}

/// The tests of a module depend on the module, what it depends on, and fixtures; those of `Flask` on all modules.
func tests(of module: String) -> Target {
  let imported = module == "Flask" ? modules.map(\.key) : below(module).sorted()
  let fixtures = [("FlaskCore", "KernelFixtures"), ("FlaskActions", "ActionFixtures")].filter {
    imported.contains($0.0)
  }
  return .testTarget(
    name: module + "Tests",
    dependencies: (imported + ["TestSupport"] + fixtures.map(\.1)).map { .init(stringLiteral: $0) },
    swiftSettings: module == "FlaskSwift5" ? [.swiftLanguageMode(.v5)] : strict
  )
}

func target(_ name: String, _ dependencies: [String], path: String? = nil) -> Target {
  .target(
    name: name,
    dependencies: dependencies.map { .init(stringLiteral: $0) },
    path: path,
    swiftSettings: strict
  )
}

/// The snippets of the documentation, the same sources in both language modes: the plugin gives those of SeedTests5 to
/// SeedTests6.
let seeds: [Target] = [
  .testTarget(name: "SeedTests5", dependencies: ["Flask"], swiftSettings: [.swiftLanguageMode(.v5)]),
  .testTarget(
    name: "SeedTests6",
    dependencies: ["Flask"],
    swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("InferIsolatedConformances")],
    plugins: ["SeedSources"]
  ),
  .plugin(name: "SeedSources", capability: .buildTool()),
]

let package = Package(
  name: "Flask",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: modules.map(\.key).filter { !withoutProduct.contains($0) }.map {
    .library(name: $0, targets: [$0])
  },
  targets: modules.map { target($0.key, $0.value) } + tested.map(tests)
    + (tested.count > 1 ? seeds : []) + [
      // Shared by tests of several modules: threads, gates and clocks; states and owners; actions and stores.
      target("TestSupport", [], path: "Tests/TestSupport"),
      target(
        "KernelFixtures",
        ["FlaskCore", "FlaskDiff", "FlaskPrimitives", "TestSupport"],
        path: "Tests/KernelFixtures"
      ),
      target(
        "ActionFixtures",
        ["FlaskActions", "FlaskCore", "KernelFixtures", "TestSupport"],
        path: "Tests/ActionFixtures"
      ),
    ]
)
