internal import FlaskPrimitives
internal import Synchronization

#if canImport(ObjectiveC)
  public import Foundation
#elseif UNDO_STAND_IN
  public import UndoStandIn
#endif

#if canImport(ObjectiveC) || UNDO_STAND_IN
  extension History {
    /// Registers each new step with an undo manager, so that the system's Undo and Redo commands perform it.
    ///
    /// ```swift
    /// .onAppear { if let undoManager { history.register(with: undoManager) } }
    /// .onDisappear { if let undoManager { history.unregister(from: undoManager) } }
    /// ```
    /// The manager performs `undo` and `redo` of this history and shows the names of its steps. The manager undoes all
    /// steps of one event of the run loop together. Steps that were recorded before are not registered. From now on
    /// undo and redo by the manager only: the manager does not notice calls of ``undo(_:isolation:fileID:line:)``.
    ///
    /// A step that is recorded on another thread is registered when the main actor is free. The manager is not
    /// retained; the actions that it retains do nothing once the history is deallocated.
    @MainActor
    public func register(with manager: UndoManager) {
      core.areStepsObserved.store(true, ordering: .relaxed)
      core.stepObservers.withLockReleasing {
        $0.updateValue(UndoRegistrar(self, manager), forKey: ObjectIdentifier(manager))
      }
    }

    /// Ends the effect of ``register(with:)``, and removes the actions of this history from the manager.
    @MainActor
    public func unregister(from manager: UndoManager) {
      core.stepObservers.withLock { $0.removeValue(forKey: ObjectIdentifier(manager)) }
        .map { manager.removeAllActions(withTarget: $0) }
    }
  }

  /// The target of the actions that an undo manager performs for a history.
  @MainActor
  private final class UndoRegistrar: StepObserver {
    private weak var history: History?
    private weak var manager: UndoManager?

    init(_ history: History, _ manager: UndoManager) { (self.history, self.manager) = (history, manager) }

    nonisolated func didRecord(_ name: String?) {
      if MainThread.isCurrent {
        MainActor.assumeIsolated { register(name, isUndo: true) }
      } else {
        Task { @MainActor in register(name, isUndo: true) }
      }
    }

    private func register(_ name: String?, isUndo: Bool) {
      // The handler retains its target, since the manager does not.
      manager?.registerUndo(withTarget: self) { [self] _ in
        MainActor.assumeIsolated {
          if isUndo { history?.undo() } else { history?.redo() }
          register(name, isUndo: !isUndo)
        }
      }
      if let name { manager?.setActionName(name) }
    }
  }
#endif
