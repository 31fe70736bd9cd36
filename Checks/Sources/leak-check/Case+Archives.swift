import Flask
import Foundation

extension Case {
  static let archives: [Case] = [
    Case("archived substances, saved, read again and purged", weight: 20) { count in
      let archive = MemoryArchive()
      let owner = Owner()
      for _ in 0..<count {
        let substance = Archived(name: "substance", archive: true, in: archive)
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        reactor.mix(substance, change).react()
        substance.archiveNow()
        reactor.unbind()
      }
      Archived(name: "substance", archive: true, in: archive).purgeArchive()
    },
    Case("archived substances with unsaved changes", weight: 20) { count in
      let archive = MemoryArchive()
      let owner = Owner()
      for number in 0..<count {
        let substance = Archived(name: "substance \(number % 10)", archive: true, in: archive)
        let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
        reactor.mix(substance, change).react()
        substance.name(as: "another name")
        reactor.unbind()
      }
      await Flask.flushArchives()
    },
    Case("archived stores", weight: 20) { count in
      let archive = MemoryArchive()
      for _ in 0..<count {
        let store = Store(name: "store", archivedIn: archive)
        let dispatcher = FluxDispatcher()
        dispatcher.register(workers: [store])
        dispatcher.dispatch(Step())
        _ = await store.archiveNow() as Bool
      }
    },
    Case("archives in a folder of files", weight: 500) { count in
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leak-check.\(getpid())")
      for number in 0..<count {
        let substance = Archived(
          name: "file \(number % 7)",
          archive: true,
          in: FileArchive(directory: folder)
        )
        await substance.archiveNow()
      }
      await Flask.flushArchives()
      try? FileManager.default.removeItem(at: folder)
    },
    Case(
      "archives that can't be used",
      weight: 20,
      faults: [.archiveCorrupt, .archiveWithoutName, .archiveOff]
    ) {
      count in
      for _ in 0..<count {
        let archive = MemoryArchive()
        archive.save(Data("no archive".utf8), for: "Fx.1.substance")
        _ = Archived(name: "substance", archive: true, in: archive)
        _ = Archived(archive: true, in: archive)
        Archived(name: "other").archiveNow()
      }
    },
  ]
}
