extension FlaskFault {
  /// The kinds of misuse of Flask, and of failures that have no caller to return to.
  public enum Kind: String, Sendable, CaseIterable {
    /// `prop` was read or written outside of a mix of its substance.
    case propOutsideMix
    /// `prop` was read or written during another write access to the same `prop`: the second access got a copy of the
    /// state. Or one mix named two parts of a substance that overlap: the mix did nothing.
    case overlappingAccess
    /// A substance was mixed in the `deinit` of its own class: nothing happened.
    case mixedInDeinit
    /// A chain was released without `react()` or `abort()`: it was not performed.
    case chainNotResolved
    /// A mixer closure called neither `react()` nor `abort()`: its operation was discarded.
    case mixerNotResolved
    /// A mixer closure called `react()` or `abort()` more than once: the first call counts.
    case mixerResolvedTwice
    /// A substance defined the same mixer twice: the first definition counts.
    case mixerDefinedTwice
    /// A global mixer was applied, and no living substance defines any mixer of its enum: nothing happened. Reported in
    /// debug builds, once for each enum.
    case mixerWithoutSubstance
    /// An action was dispatched that no worker and no substance answers: nothing happened. Reported in debug builds,
    /// once for each type.
    case actionWithoutAnswer
    /// `define(mix:)` was called outside `defineMixers()`: nothing was defined.
    case defineOutsideDefineMixers
    /// The memory of a state could not be verified against the runtime's metadata: the unverified part is reported as
    /// one key. Reported once for each type.
    case layoutInDoubt
    /// A state refers to objects that can be changed in place: no observer would be notified. Their class has variables
    /// and no `==`, and is no actor. Found in properties, and in the contents of optionals, collections and enums at
    /// any depth; not in tuples, existentials and properties whose name begins with `_`. Reported once for each type of
    /// state.
    case changeableObject
    /// A key was requested that no substance of the reactor has.
    case unknownKey
    /// The value of a key was requested as a type that the value does not have.
    case wrongValueType
    /// A property that is `unowned` was observed by its key path, and the object to which it referred before or after
    /// the commit is deallocated, or may be: the observer was not called. Of an object of Objective-C this is not
    /// known.
    case referenceLost
    /// The reactor of an owner was requested, but the owner has none. A reactor without substances was returned, whose
    /// mixes are aborted.
    case noReactor
    /// A reactor was detached from an owner without a reactor: nothing happened.
    case nothingToDetach
    /// `attachReactor` was called for an owner that had a reactor. The new reactor replaced the old one.
    case reactorReplaced
    /// A reactor was made without any substance, so it will never be notified.
    case reactorWithoutSubstances
    /// A chain mixed a substance that is not among the substances of its reactor: the chain was aborted.
    case substanceNotOfReactor
    /// One chain named substances of different fluxes: the chain was aborted.
    case substancesOfDifferentBuses
    /// An owner adopts `FlaskReactor` and implements none of its methods.
    case reactionsNotImplemented
    /// A state was rolled back that had not been captured: nothing happened.
    case nothingCaptured
    /// A derived value reads itself: the read returned its last value. If it has none yet, the read returned an empty
    /// value: see `Derived.value`.
    case derivedFromItself
    /// The closure of a derived value submitted an operation: it was aborted.
    case derivedMixes
    /// The closure of an operator of a view read a state. The read had its result, and from then on each change of the
    /// view costs a pass over all elements. A parameter (`with:`) may read states.
    case viewReadsState
    /// Hundreds of operations have each been caused by the one before it, through reactors or observers that mix.
    /// Reported once for the chain, which continues.
    case endlessReaction
    /// The closure of an operation threw, and the receipt was released before its outcome was read.
    case errorDropped
    /// A lock was held for longer than its timeout, and was released.
    case lockTimedOut
    /// An outcome was awaited inside of `withLock` of the same flux, where awaiting it would never end.
    case awaitedUnderLock
    /// An operation, a lock or the queue of a flux exceeds a budget. Reported by `FlaskInsight`. Operations of one kind
    /// and name, from one source location, are reported once. Each lock is reported once. The queue is reported again
    /// only after the queue has shrunk to half of its budget.
    case overBudget
    /// A held lock is not referenced any more, so it cannot be released. Reported when an operation has to wait, and by
    /// a `BudgetWatch` of `FlaskInsight` in intervals.
    case lockAbandoned
    /// A reactor or an observer does not keep up: very many reactions wait for its isolation. Or an optimistic change
    /// of a history is not answered: very many commits are kept for its revert.
    case backlog
    /// The process ends during an operation that does not end, or while operations wait. Or one was submitted while
    /// the process ends, and was aborted; this is reported once for each flux.
    case lostAtExit
    /// A worker was registered a second time with one dispatcher: the second registration was ignored.
    case workerRegisteredTwice
    /// A dispatcher was registered as a worker of itself, directly or through other dispatchers. The registration was
    /// ignored.
    case dispatcherInItself
    /// A store or a dispatcher was registered with a dispatcher of another flux, or was passed an action of such a
    /// dispatcher. It was skipped.
    case workerOfDifferentBus
    /// A second reducer, composer or error handler was registered where only one is possible. The first registration
    /// counts.
    case answerRegisteredTwice
    /// A reducer claimed a key that it did not change, or changed a key that it did not claim. Checked in debug builds.
    case wrongClaim
    /// An effect threw an error, and its middleware has no error handler.
    case effectFailed
    /// Work that lives as long as a piece of state threw an error, and has no closure for errors.
    case workFailed
    /// An effect awaits work that cannot end before the effect itself: the action that has started it, or an effect
    /// that is queued behind it. The wait was ended.
    case effectAwaitsItself
    /// A mixer was submitted with a lock that a reaction to the mixer should release. No living substance defines the
    /// mixer, so that the lock would never be released.
    case lockWithoutListener
    /// An immediate save was requested for a substance whose archiving is off: nothing was saved. Or a substance is to
    /// be archived in a program that does not use `FlaskArchive`.
    case archiveOff
    /// A substance without a name was to be archived. It is not archived, since the next run could not find the
    /// archive.
    case archiveWithoutName
    /// An archive may exist but can't be read now: the initial state is used, and the archive is not overwritten.
    case archiveUnreadable
    /// An archive was read but can't be used, for example because it is damaged. The initial state is used, and the
    /// archive's bytes are kept under another key.
    case archiveCorrupt
    /// A state was not saved: the save is tried again later.
    case archiveNotSaved
    /// An archive was not removed.
    case archiveNotRemoved
    /// Several living substances have one archive: the last commit wins.
    case archiveShared
    /// A recording cannot be written any more. It ends with the operations that were written before.
    case recordingFailed
    /// A backend has warned of a problem although no call failed.
    case archiveWarning
    /// Steps of an archived history cannot be read, and were left out when the history was restored.
    case historyIncomplete
  }
}
