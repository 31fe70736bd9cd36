/// The extension point of the kernel: an attachment of a substance is called in the course of each of its commits.
///
/// In the steps of a commit (`FluxTransaction.commit`):
/// - in step 1 `draftWasCompared` is called for each substance whose draft differs, if notices of it are requested;
/// - in step 2 `willPublish` for each substance of the operation, if any of them wanted it. Nothing is visible yet; it
///   may enlist other substances (`FluxTransaction.append`), whose drafts it has written and compared;
/// - in step 4 `didPublish` for each substance that has changed;
/// - in step 6 `didNotify` for each that the operation has named, if any wanted it, or if the body has compared the
///   drafts itself (`.commitCompared`).
///
/// All functions are called on the thread that performs the operation; no lock is held then. An attachment is made once
/// for a substance and released with it. A substance without an attachment has no cost, since each commit reads the
/// notices of the substance in any case.
package protocol SubstanceAttachment: AnyObject, Sendable {
  /// Called when the draft of a substance differs from its state (`changes`).
  ///
  /// - Returns: whether to call `willPublish` and `didNotify`.
  func draftWasCompared(of substance: Cell) -> Bool

  /// Called when the drafts of all substances that the operation named were compared, before any change is visible.
  func willPublish(in transaction: FluxTransaction, isolation: ActorIdentity)

  /// Called when all changed drafts are states, before any listener is notified. A request for notices that was made
  /// before the publication is seen here at the latest. Called for every substance with any notice, also with that of
  /// an archive.
  func didPublish(_ substance: Cell)

  /// Called when all listeners were notified, or have the commit queued.
  func didNotify(in transaction: FluxTransaction)
}

extension Cell {
  /// The attachment, made on first use; a program has one type of attachments. From any thread. It is called while
  /// notices are requested: see `retainNotices()`.
  package func attachment<Attachment: SubstanceAttachment>(_ make: () -> Attachment) -> Attachment {
    unsafeDowncast(attached.object { Held(make()) }.value, to: Attachment.self)
  }

  // MARK: By the performer

  /// - Returns: whether `tellAttachmentBefore` is wanted.
  func tellAttachmentOfDraft() -> Bool {
    attached.present?.use { $0.value.draftWasCompared(of: self) } ?? false
  }

  func tellAttachmentBefore(_ transaction: FluxTransaction, isolation: ActorIdentity) {
    attached.present?.use { $0.value.willPublish(in: transaction, isolation: isolation) }
  }

  func tellAttachmentOfCommit() { attached.present?.use { $0.value.didPublish(self) } }

  func tellAttachmentAfter(_ transaction: FluxTransaction) {
    attached.present?.use { $0.value.didNotify(in: transaction) }
  }
}
