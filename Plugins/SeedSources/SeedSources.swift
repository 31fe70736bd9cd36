import Foundation
import PackagePlugin

/// Gives a target the sources of Tests/SeedTests5 besides its own, so that they are compiled in its language mode, too:
/// no file may belong to two targets.
@main
struct SeedSources: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let seeds = context.package.directoryURL.appending(path: "Tests/SeedTests5")
    let files = FileManager.default.enumerator(at: seeds, includingPropertiesForKeys: nil)?.compactMap {
      $0 as? URL
    }
    return (files ?? []).filter { $0.pathExtension == "swift" }.map { source in
      let copy = context.pluginWorkDirectoryURL.appending(path: source.lastPathComponent)
      return .buildCommand(
        displayName: "Copying \(source.lastPathComponent)",
        executable: URL(filePath: "/bin/cp"),
        arguments: [source.path(), copy.path()],
        inputFiles: [source],
        outputFiles: [copy]
      )
    }
  }
}
