extension FlaskFault {
  /// A kind of misuse of Flask, or of failures that have no caller to return to.
  ///
  /// The kinds are constants of a struct, as the standard library's error codes are: a version of Flask may add some,
  /// and a `switch` over them has a `default`. Compare with `==`, or match with `case .unknownKey:`.
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the constant: `"unknownKey"`.
    public let rawValue: String

    /// The kind with this name. It need not be one of the constants: a log of another version may have others.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the constant.
    public var description: String { rawValue }

    private init(named name: String = #function) { rawValue = name }

    /// `prop` was read or written outside of a mix of its substance.
    public static var propOutsideMix: Kind { Kind() }
    /// `prop` was read or written during another write access to the same `prop`: the second access got a copy of the
    /// state. Or one mix named two parts of a substance that overlap: the mix did nothing.
    public static var overlappingAccess: Kind { Kind() }
    /// A substance was mixed in the `deinit` of its own class: nothing happened.
    public static var mixedInDeinit: Kind { Kind() }
    /// A chain was released without `react()` or `abort()`: it was not performed.
    public static var chainNotResolved: Kind { Kind() }
    /// A mixer closure called neither `react()` nor `abort()`: its operation was discarded.
    public static var mixerNotResolved: Kind { Kind() }
    /// A mixer closure called `react()` or `abort()` more than once: the first call counts.
    public static var mixerResolvedTwice: Kind { Kind() }
    /// A substance defined the same mixer twice: the first definition counts.
    public static var mixerDefinedTwice: Kind { Kind() }
    /// A global mixer was applied, and no living substance defines any mixer of its enum: nothing happened. Reported in
    /// debug builds, once for each enum.
    public static var mixerWithoutSubstance: Kind { Kind() }
    /// An action was dispatched that no worker and no substance answers: nothing happened. Reported in debug builds,
    /// once for each type.
    public static var actionWithoutAnswer: Kind { Kind() }
    /// `define(mix:)` was called outside `defineMixers()`: nothing was defined.
    public static var defineOutsideDefineMixers: Kind { Kind() }
    /// The memory of a state could not be verified against the runtime's metadata: the unverified part is reported as
    /// one key. Reported once for each type.
    public static var layoutInDoubt: Kind { Kind() }
    /// A state refers to objects that can be changed in place: no observer would be notified. Their class has variables
    /// and no `==`, and is no actor. Found in properties, and in the contents of optionals, collections and enums at
    /// any depth; not in tuples, existentials and properties whose name begins with `_`. Reported once for each type of
    /// state.
    public static var changeableObject: Kind { Kind() }
    /// A key was requested that no substance of the reactor has.
    public static var unknownKey: Kind { Kind() }
    /// The value of a key was requested as a type that the value does not have.
    public static var wrongValueType: Kind { Kind() }
    /// An `unowned` property was observed by its key path, and its object before or after the commit is deallocated:
    /// the observer was not called. An object of an Objective-C class counts as deallocated, since the runtime cannot
    /// check it.
    public static var referenceLost: Kind { Kind() }
    /// The reactor of an owner was requested, but the owner has none. A reactor without substances was returned, whose
    /// mixes are aborted.
    public static var noReactor: Kind { Kind() }
    /// A reactor was detached from an owner without a reactor: nothing happened.
    public static var nothingToDetach: Kind { Kind() }
    /// `attachReactor` was called for an owner that had a reactor. The new reactor replaced the old one.
    public static var reactorReplaced: Kind { Kind() }
    /// A reactor was made without any substance, so it will never be notified.
    public static var reactorWithoutSubstances: Kind { Kind() }
    /// A chain mixed a substance that is not among the substances of its reactor: the chain was aborted.
    public static var substanceNotOfReactor: Kind { Kind() }
    /// One chain named substances of different fluxes: the chain was aborted.
    public static var substancesOfDifferentFluxes: Kind { Kind() }
    /// An owner adopts `FlaskReactor` and implements none of its methods.
    public static var reactionsNotImplemented: Kind { Kind() }
    /// A state was rolled back that had not been captured: nothing happened.
    public static var nothingCaptured: Kind { Kind() }
    /// A derived value reads itself: the read returned its last value. If it has none yet, the read returned an empty
    /// value: see `Derived.value`.
    public static var derivedFromItself: Kind { Kind() }
    /// The closure of a derived value submitted an operation: it was aborted.
    public static var derivedMixes: Kind { Kind() }
    /// The closure of an operator of a view read a state. The read had its result, and from then on each change of the
    /// view costs a pass over all elements. A parameter (`with:`) may read states.
    public static var viewReadsState: Kind { Kind() }
    /// Hundreds of operations have each been caused by the one before it, through reactors or observers that mix.
    /// Reported once for the chain, which continues.
    public static var endlessReaction: Kind { Kind() }
    /// The closure of an operation threw, and the receipt was released before its outcome was read.
    public static var errorDropped: Kind { Kind() }
    /// A lock was held for longer than its timeout, and was released.
    public static var lockTimedOut: Kind { Kind() }
    /// An outcome was awaited inside of `withLock` of the same flux, where awaiting it would never end.
    public static var awaitedUnderLock: Kind { Kind() }
    /// An operation, a lock or the queue of a flux exceeds a budget. Reported by `FlaskInsight`. Operations of one kind
    /// and name, from one source location, are reported once. Each lock is reported once. The queue is reported again
    /// only after the queue has shrunk to half of its budget.
    public static var overBudget: Kind { Kind() }
    /// A held lock is not referenced any more, so it cannot be released. Reported when an operation has to wait, and by
    /// a `BudgetWatch` of `FlaskInsight` in intervals.
    public static var lockAbandoned: Kind { Kind() }
    /// A reactor or an observer does not keep up: very many reactions wait for its isolation. Or an optimistic change
    /// of a history is not answered: very many commits are kept for its revert.
    public static var backlog: Kind { Kind() }
    /// The process ends during an operation that does not end, or while operations wait. Or one was submitted while
    /// the process ends, and was aborted; this is reported once for each flux.
    public static var lostAtExit: Kind { Kind() }
    /// A worker was registered a second time with one dispatcher: the second registration was ignored.
    public static var workerRegisteredTwice: Kind { Kind() }
    /// A dispatcher was registered as a worker of itself, directly or through other dispatchers. The registration was
    /// ignored.
    public static var dispatcherInItself: Kind { Kind() }
    /// A store or a dispatcher was registered with a dispatcher of another flux, or was passed an action of such a
    /// dispatcher. It was skipped.
    public static var workerOfDifferentFlux: Kind { Kind() }
    /// A second reducer, composer or error handler was registered where only one is possible. The first registration
    /// counts.
    public static var answerRegisteredTwice: Kind { Kind() }
    /// A reducer claimed a key that it did not change, or changed a key that it did not claim. Checked in debug builds.
    public static var wrongClaim: Kind { Kind() }
    /// An effect threw an error, and its middleware has no error handler.
    public static var effectFailed: Kind { Kind() }
    /// Work that lives as long as a piece of state threw an error, and has no closure for errors.
    public static var workFailed: Kind { Kind() }
    /// An effect awaits work that cannot end before the effect itself: the action that has started it, or an effect
    /// that is queued behind it. The wait was ended.
    public static var effectAwaitsItself: Kind { Kind() }
    /// A mixer was submitted with a lock that a reaction to the mixer should release. No living substance defines the
    /// mixer, so that the lock would never be released.
    public static var lockWithoutListener: Kind { Kind() }
    /// A substance is not archived, and a call has asked for it: `archiveNow()` while archiving is off; `archive: true`
    /// in a place that is no `ArchiveBackend`, or in a program without `FlaskArchive`; any call after a place or a
    /// group has refused the substance, for a state that is no `FlaskState`, for a store that has not called
    /// `archive()`; for a shared substance, which its group saves. Nothing was saved or removed.
    public static var archiveOff: Kind { Kind() }
    /// A substance without a name was to be archived. It is not archived, since the next run could not find the
    /// archive.
    public static var archiveWithoutName: Kind { Kind() }
    /// An archive may exist but can't be read now: the initial state is used, and the archive is not overwritten.
    public static var archiveUnreadable: Kind { Kind() }
    /// An archive was read but can't be used, for example because it is damaged. The initial state is used, and the
    /// archive's bytes are kept under another key.
    public static var archiveCorrupt: Kind { Kind() }
    /// A state was not saved: the save is tried again later.
    public static var archiveNotSaved: Kind { Kind() }
    /// An archive was not removed.
    public static var archiveNotRemoved: Kind { Kind() }
    /// Several living substances have one archive: the last commit wins.
    public static var archiveShared: Kind { Kind() }
    /// A recording cannot be written any more. It ends with the operations that were written before.
    public static var recordingFailed: Kind { Kind() }
    /// A backend has warned of a problem although no call failed.
    public static var archiveWarning: Kind { Kind() }
    /// Steps of an archived history cannot be read, and were left out when the history was restored.
    public static var historyIncomplete: Kind { Kind() }
  }
}
