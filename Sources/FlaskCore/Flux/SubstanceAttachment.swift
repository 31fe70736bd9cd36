/// The extension point of the kernel: an object that is attached to a substance, and is called in the course of each
/// commit of the substance while notices are requested (`Cell.retainNotices()`).
///
/// - When the drafts are compared: `draftWasCompared`, for each substance whose draft differs.
/// - Before the drafts are published: `willPublish`, for each substance of the operation, if any `draftWasCompared`
///   returned `true`. The attachment may enlist other substances (`OperationDrafts.append`), after it has written and
///   compared their drafts.
/// - After the publication: `didPublish`, for each substance that has changed.
/// - After the notifications: `didNotify`, for each substance that the operation has named, if any `draftWasCompared`
///   returned `true`, or if the body has compared the drafts itself (`.commitCompared`).
///
/// All functions are called on the thread that performs the operation; no lock is held then. An attachment is made once
/// for a substance and released with it. A substance without an attachment has no extra cost.
package protocol SubstanceAttachment: AnyObject, Sendable {
  /// Called when the draft of a substance differs from its state (`changes`).
  ///
  /// - Returns: whether to call `willPublish` and `didNotify`.
  func draftWasCompared(of substance: Cell) -> Bool

  /// Called when the drafts of all substances that the operation named were compared, before any change is visible.
  func willPublish(in drafts: OperationDrafts, isolation: ActorIdentity)

  /// Called after all changed drafts have been published, before any listener is notified. A request for notices that
  /// was made before the publication takes effect here at the latest. The function is also called if only another
  /// notice, such as the archive's, is requested.
  func didPublish(_ substance: Cell)

  /// Called when every listener has been notified of the commit, or has the commit in its queue.
  func didNotify(in drafts: OperationDrafts)
}

extension Cell {
  /// Returns the attachment, which is made on first use. All attachments of a program must have the same type. The
  /// attachment is called while notices are requested: see `retainNotices()`. May be called on any thread.
  package func attachment<Attachment: SubstanceAttachment>(_ make: () -> Attachment) -> Attachment {
    unsafeDowncast(attached.object { Held(make()) }.value, to: Attachment.self)
  }

  // MARK: By the performer

  /// - Returns: whether `notifyAttachmentBefore` is wanted.
  func notifyAttachmentOfDraft() -> Bool {
    attached.present?.use { $0.value.draftWasCompared(of: self) } ?? false
  }

  func notifyAttachmentBefore(_ drafts: OperationDrafts, isolation: ActorIdentity) {
    attached.present?.use { $0.value.willPublish(in: drafts, isolation: isolation) }
  }

  func notifyAttachmentOfCommit() { attached.present?.use { $0.value.didPublish(self) } }

  func notifyAttachmentAfter(_ drafts: OperationDrafts) {
    attached.present?.use { $0.value.didNotify(in: drafts) }
  }
}
