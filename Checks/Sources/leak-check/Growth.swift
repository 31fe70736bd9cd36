import Flask
import Foundation
import Malloc

/// What is left in memory, and how long it takes, when twice as many of a kind are made.
struct Growth: CustomStringConvertible {
  /// How many bytes may be left of each: less than any object has.
  private static let bytesOfEach = 4.0
  /// Left by caches, whatever the count.
  private static let noise = 1_000_000.0
  /// Bytes that stay resident between what is in use, and differ from run to run.
  private static let fragments = 32_000_000.0
  /// Times below this say nothing.
  private static let shortest = 0.02

  let name: String
  let count: Int
  /// Bytes in use after the second half of the runs, beyond those after the first.
  let bytes: Int
  /// Resident bytes, likewise.
  let resident: Int
  /// Seconds of the processor.
  let time: Double
  let doubleTime: Double

  var ratio: Double { doubleTime / max(time, Growth.shortest) }
  var isFine: Bool {
    Double(bytes) < Growth.noise + Growth.bytesOfEach * Double(3 * count)
      && Double(resident) < Growth.fragments + 16 * Growth.bytesOfEach * Double(3 * count)
      && ratio <= 2.5
  }

  var description: String {
    let figures = String(
      format: "%8d  %+9.1f KB in use  %+9.1f KB resident  %7.3f s  %7.3f s  × %.2f",
      count,
      Double(bytes) / 1024,
      Double(resident) / 1024,
      time,
      doubleTime,
      ratio
    )
    return "\(isFine ? "✔" : "✘") \(figures)  \(name)"
  }

  /// The first round fills caches and lets the heap grow; the second one is measured. Of the times the shorter ones
  /// count, since whatever disturbs makes them longer.
  static func measure(_ sample: Case, count: Int) async -> Growth {
    var time = await seconds { await sample.run(count) }
    var doubleTime = await seconds { await sample.run(2 * count) }
    let before = Memory.now()
    doubleTime = min(doubleTime, await seconds { await sample.run(2 * count) })
    time = min(time, await seconds { await sample.run(count) })
    let after = Memory.now()
    // Once more before it is called more than linear.
    if doubleTime > 2.3 * time {
      doubleTime = min(doubleTime, await seconds { await sample.run(2 * count) })
      time = min(time, await seconds { await sample.run(count) })
    }
    return Growth(
      name: sample.name,
      count: count,
      bytes: after.used - before.used,
      resident: after.resident - before.resident,
      time: time,
      doubleTime: doubleTime
    )
  }

  private static func seconds(_ body: () async -> Void) async -> Double {
    let start = processorTime()
    await body()
    return processorTime() - start
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The memory of the process.
struct Memory {
  /// Allocated and not freed; what the allocator keeps for itself is not in it.
  let used: Int
  /// In main memory, once the allocator has returned what it can.
  let resident: Int

  #if os(Linux)
    static func now() -> Memory {
      malloc_trim(0)
      let info = mallinfo2()
      return Memory(used: Int(info.uordblks + info.hblkhd), resident: statm() * Int(getpagesize()))
    }

    /// The second number of `/proc/self/statm`: resident pages.
    private static func statm() -> Int {
      guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
      let numbers = String(decoding: data, as: UTF8.self).split(separator: " ")
      return numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0
    }
  #else
    static func now() -> Memory {
      var statistics = malloc_statistics_t()
      malloc_zone_statistics(nil, &statistics)
      return Memory(used: Int(statistics.size_in_use), resident: 0)
    }
  #endif
}
