internal import FlaskPrimitives

/// A substance that answers mixers and actions.
package protocol MixerResponder: AnySubstance {
  func answer(_ request: MixerRequest) -> MixerAnswer
}

/// The living substances that define mixers, by mixer. The registry retains no substance.
///
/// The references are weak, since another thread may release a substance while a mixer loads it. Weak references slow
/// the reference counting of their object. So only substances that define mixers are added.
package final class MixerRegistry: Sendable {
  private struct Entry { weak var substance: (any MixerResponder)? }
  private struct Entries {
    var all: [Entry] = []
    /// The number of deallocated substances in `all`.
    var goneCount = 0
  }

  private let entries = Lock<[MixerKey: Entries]>([:])
  let observers = MixerObservers()

  func add(_ substance: any MixerResponder, for keys: [MixerKey]) {
    entries.withLock { entries in
      for key in keys { entries[key, default: Entries()].all.append(Entry(substance: substance)) }
    }
  }

  /// Counts a substance as deallocated. Call it once while a substance that was added for these keys is being
  /// deallocated. Its entries are removed later, together with others, so that no search is needed now. Complexity:
  /// O(1) a key, amortised.
  func removeOne(for keys: [MixerKey]) {
    // The substances in the remaining entries are retained until the lock is released. Their other owners may release
    // them in the meantime, and a `deinit` must not run under the lock.
    entries.withLockReleasing { entries in
      var held: [any MixerResponder] = []
      for key in keys {
        entries[key]?.goneCount += 1
        guard let old = entries[key], old.goneCount * 2 > old.all.count else { continue }
        let living = old.all.compactMap(\.substance)
        entries[key] = living.isEmpty ? nil : Entries(all: living.map { Entry(substance: $0) })
        held += living
      }
      return held
    }
  }

  /// Whether a living substance defines any mixer of an enum. Complexity: linear in the number of mixers.
  func isDefined(anyOf type: ObjectIdentifier) -> Bool {
    entries.withLock { entries in
      entries.contains { $0.key.type == type && $0.value.all.count > $0.value.goneCount }
    }
  }

  /// The mixers with the given name that living substances define.
  package func keys(named name: String) -> [MixerKey] {
    entries.withLock { entries in
      entries.filter { $0.key.name == name && $0.value.all.count > $0.value.goneCount }.map(\.key)
    }
  }

  /// The living substances that define the mixer, in the order in which they were made.
  package func substances(defining key: MixerKey) -> [any MixerResponder] {
    entries.withLock { entries in entries[key]?.all.compactMap(\.substance) ?? [] }
  }
}

extension Flux {
  package var mixers: MixerRegistry { attachment { _ in MixerRegistry() } }
}

extension FluxOperation {
  /// The operation that performs a global mixer in every living substance that defines it.
  package static func mixer(_ request: MixerRequest, in flux: Flux, at place: SourcePlace) -> FluxOperation {
    let mixers = flux.mixers
    return FluxOperation(
      OperationIdentity(.mixer, name: request.key.name, at: place),
      content: .mixer(request.key.metatype, request.payload),
      in: flux,
      completion: mixers.observers.completion(of: request)
    ) { drafts in
      for substance in mixers.substances(defining: request.key) {
        drafts.enlist(substance.cell)
        switch substance.answer(request) {
        case .reacted: continue
        case .aborted: return .abort
        case .failed(let error): throw error
        }
      }
      return .commit
    }
  }
}
