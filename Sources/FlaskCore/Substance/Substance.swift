internal import FlaskDiff

/// A store: one struct of state, read by anyone at any time and changed by mixes alone.
///
/// ```swift
/// class Feed: Substance<AppState> {}
/// let feed = Feed()
/// ```
///
/// A substance belongs to the flux that is current when it is made (`Flux.current`). Its state lives on the heap and
/// is never passed around by value.
///
/// A subclass may add behaviour, not mutable stored properties: it is shared between threads. Swift 6 mode asks it to
/// restate `@unchecked Sendable`.
open class Substance<S: State>: AnySubstance, @unchecked Sendable {
  /// A substance with the initial state `S()`.
  ///
  /// - Parameters:
  ///   - name: names it in messages. Without one, the substance gets a name of its own.
  ///   - fileID: where a fault of `prop` is reported at, since a property can't tell its caller.
  ///   - line: the line in that file.
  public init(name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line) {
    let initial = TypedStateBox<S> { S() }
    let layout = StateLayout.of(S.self, example: initial.address.assumingMemoryBound(to: S.self))
    let place = SourcePlace(fileID, line)
    super.init(
      core: SubstanceCore(flux: Flux.current, layout: layout, initial: initial, place: place),
      name: name
    )
  }

  // MARK: State

  /// The last committed state; during a mix it is still the state before it. From any thread, at any time.
  ///
  /// Reading one property copies only that property: `substance.state.counter`.
  public final var state: S {
    _read {
      let box = core.pinCommitted()
      defer { box.unpin() }
      yield box.address.assumingMemoryBound(to: S.self).pointee
    }
  }

  /// The draft: to be read and written inside a mix of this substance, on the thread that performs it.
  ///
  /// Anywhere else it is a fault: a read gives the committed state, and what is written is dropped.
  @inlinable
  public final var prop: S {
    _read {
      if let draft = openDraft {
        yield draft.assumingMemoryBound(to: S.self).pointee
      } else {
        let stray = strayDraft("read")
        yield stray.address.assumingMemoryBound(to: S.self).pointee
      }
    }
    _modify {
      if let draft = openDraft {
        yield &draft.assumingMemoryBound(to: S.self).pointee
      } else {
        let stray = strayDraft("written")
        yield &stray.address.assumingMemoryBound(to: S.self).pointee
      }
    }
  }

  // MARK: Restore points

  /// Captures the committed state as the restore point of this substance, in place of an earlier one.
  ///
  /// From any thread. Costs one copy of the state at the next mix, not now.
  public final func captureState() { core.setRestorePoint(true) }

  /// Returns to the captured state, as an operation of the flux: reactors hear the keys that change back. The restore
  /// point stays until `commitState()`. Without one, a fault, and the operation aborts.
  @discardableResult
  public final func rollbackState(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> FluxReceipt {
    if !core.hasRestorePoint {
      report(
        .nothingCaptured,
        "\(name()) has no captured state to roll back to; call `captureState()` first",
        at: SourcePlace(fileID, line)
      )
      return FluxReceipt(.aborted)
    }
    return core.flux.submit(.rollback(self), isolation: isolation)
  }

  /// Drops the restore point: the changes since it are there to stay. Does nothing without one.
  public final func commitState() { core.setRestorePoint(false) }
}
