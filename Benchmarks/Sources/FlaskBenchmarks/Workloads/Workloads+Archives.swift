import BenchmarkSink
import FlaskArchive
import FlaskCore
import Foundation

/// W29: a state of 10,000 items in an array, 1 MB as JSON, of which one has changed, is saved; and it is loaded. The
/// bounds are the encoder of Foundation with sorted keys, whose data is written to another file, synced and renamed, and
/// the decoder.
extension Workloads {
  static func archived() -> [Case] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "flask-benchmark-\(getpid())")
    return [
      Case("W29", "encoder", fires: 0, runs: .onSeveralThreads) { _ in
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        nonisolated(unsafe) var items = Items()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return { count in
          for _ in 0..<count {
            items.change()
            guard let data = try? encoder.encode(items) else { return }
            write(data, to: folder.appending(path: "encoder").path)
          }
        }
      },
      Case("W29", "archive", fires: 0, runs: .onSeveralThreads) { _ in
        let items = Substance<Items>(name: "items", archive: true, in: FileArchive(directory: folder))
        return { count in
          for _ in 0..<count {
            items.mix { $0.change() }
            items.archiveNow()
          }
        }
      },
      Case("W29", "decoder", fires: 0, runs: .onSeveralThreads) { sink in
        let data = (try? JSONEncoder().encode(Items())) ?? Data()
        return { count in
          for _ in 0..<count {
            sink.hear((try? JSONDecoder().decode(Items.self, from: data))?.list.count ?? 0, 0)
          }
        }
      },
      Case("W29", "archive, loaded", fires: 0, runs: .onSeveralThreads) { sink in
        let archive = FileArchive(directory: folder)
        Substance<Items>(name: "loaded", archive: true, in: archive).archiveNow()
        return { count in
          for _ in 0..<count {
            sink.hear(Substance<Items>(name: "loaded", archive: true, in: archive).list.count, 0)
          }
        }
      },
    ]
  }

  /// As it is done by hand: another file, synced, then renamed.
  private static func write(_ data: Data, to path: String) {
    let file = open(path + ".tmp", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    data.withUnsafeBytes { _ = Foundation.write(file, $0.baseAddress, $0.count) }
    fsync(file)
    close(file)
    rename(path + ".tmp", path)
  }
}

private struct Items: FlaskState, Codable {
  struct Item: Codable, Sendable {
    let id: Int
    var title = "an item whose title lives on the heap"
    var note = "and a note"
    var count = 0
    var isDone = false
  }

  var list = (0..<10_000).map { Item(id: $0) }

  mutating func change() { list[5_000].count &+= 1 }
}
