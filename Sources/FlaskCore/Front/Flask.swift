// The module `FlaskDiff` is re-exported in `Exports.swift`, since an observer of a list or a dictionary gets
// `ElementChanges` or `EntryChanges`.

/// The front door: substances are made, reactors attached, mixers applied and locks taken here.
///
/// Calls that need a flux use `Flux.current`: the shared flux, `Flask.bus`, unless a scope has set another.
public enum Flask {
  /// The shared flux: all that an app needs.
  public static var bus: Flux { Flux.shared }

  /// Called with each fault, on the thread on which the fault occurs, unless the flux of the fault has a separate
  /// `onFault`. By default faults go to standard error, and to the unified log on Apple's systems.
  public static var onFault: @Sendable (FlaskFault) -> Void {
    get { FaultHandler.shared.handler }
    set { FaultHandler.shared.current = newValue }
  }
}
