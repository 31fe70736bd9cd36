internal import FlaskPrimitives

/// The archiver of a substance in a shared group.
final class SharedSeat: SubstanceArchiver {
  private let group: SharedGroup
  private let part: SharedPart
  private let refused = Lock<String?>(nil)

  var refusal: String? { refused.withLock { $0 } }

  /// The group has not taken the part.
  func refuse(_ reason: String) { refused.withLock { $0 = reason } }

  init(_ part: SharedPart, in group: SharedGroup) {
    self.group = group
    self.part = part
  }

  func isSeat(of part: SharedPart) -> Bool { self.part === part }

  deinit { group.worker.release(part) }

  func didPublish(_ substance: AnySubstance) { group.worker.changed() }

  func didRename(_ substance: AnySubstance) {
    if refusal != nil { return }
    substance.report(
      .archiveWarning,
      "\(substance.name()) was renamed, and stays the part \(part.key) of the shared group \(group.name)"
    )
  }
}

extension SharedGroup: ArchiveProvider {
  package func begin<S>(_ substance: Substance<S>, in place: (any ArchivePlace)?) {
    guard let type = S.self as? any FlaskState.Type, substance.initialState != nil else {
      substance.refuseArchiving("\(S.self) is no `FlaskState`, so the shared group \(name) could not take it")
      return substance.report(.archiveOff, "\(substance.name()) is not shared: \(S.self) is no `FlaskState`")
    }
    begin(type, substance)
  }

  private func begin<S: FlaskState>(_ type: S.Type, _ substance: AnySubstance) {
    guard let substance = substance as? Substance<S>, let initial = substance.initialState else { return }
    join(substance, ArchivedState { initial.make() }) { $0() }
  }

  /// Makes a substance a member, and reads its state.
  ///
  /// - Parameter install: performs a closure while no operation can use the substance; it may also ignore the closure.
  func join<S: Codable & Sendable>(
    _ substance: TypedSubstance<S>,
    _ initial: ArchivedState<S>,
    _ install: (() -> Void) -> Void
  ) {
    guard let key = substance.presentArchiveKey() else {
      return substance.refuseArchiving(
        "without a name it is no part of the shared group \(name); pass `name:`"
      )
    }
    let name = key.hasPrefix("Fx.1.") ? String(key.dropFirst(5)) : key
    do throws(ArchiveError) {
      let part = try TypedSharedPart(name, substance, initial: initial)
      let held = substance.archiver.object { Held(SharedSeat(part, in: self)) }
      guard let seat = held.value as? SharedSeat, seat.isSeat(of: part) else {
        return substance.report(
          .archiveShared,
          "\(substance.name()) is archived or shared already, so it is not shared"
        )
      }
      let joining = worker.join(part)
      if case .refused = joining {
        let reason = "the shared group \(self.name) has a part \(name) in this process already"
        seat.refuse(reason)
        substance.isArchiveWanted = false
        return substance.report(.archiveShared, "\(reason), so \(substance.name()) is not shared")
      }
      substance.isArchiveWanted = true
      substance.cell.setNotice(Cell.Notice.archive, true)
      var outline: StateOutline?
      install {
        guard let first = try? session.firstState(of: part) else { return }
        substance.cell.install(first.state.box)
        outline = first.outline
      }
      session.open(part, with: outline)
      worker.changed()
      worker.read()
    } catch {
      substance.refuseArchiving("the shared group \(self.name) could not take it: \(error)")
      substance.report(.archiveNotSaved, "\(substance.name()) can't be shared: \(error)")
    }
  }
}

extension TypedSubstance where S: Codable {
  /// Shares the state of a store through a group from now on. To be called once, in the initialiser, right after
  /// `super.init`, as `archive(in:)` is.
  public final func share(in group: SharedGroup) {
    let initial = ArchivedState<S>(pinned: cell.pinCommitted())
    group.join(self, initial) { install in
      // If an operation is in progress, what was read arrives as an operation.
      _ = flux.performBetweenOperations(install)
    }
  }
}
