internal import FlaskPrimitives

extension LiveView {
  /// Calls `handler` with the changes that lead from the elements of its last call to the present ones: at once with
  /// all present elements as inserted, if there are any, and then after each commit that changed what the view shows.
  ///
  /// ```swift
  /// let token = open.observe { changes in table.apply(changes) }
  /// ```
  /// A table that has applied all changes has the elements of the view; `ElementChanges` says in which order a table
  /// applies them. When commits come faster than the handler takes them, the changes of several are merged into one
  /// call. The handler is called on its isolation, as the observers of a substance are; if it has none, on the thread
  /// that performs.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives the changes, which are never empty.
  /// - Returns: the observation, which lasts as long as it is retained, and retains the view.
  @available(swift, introduced: 6)
  public func observe(
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ changes: ElementChanges<Element>) -> Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    let last = LastContent()
    return derived.observeValue(isolation: handler.isolation ?? isolation, from: isolation) { _, newest in
      let new = newest()
      let changes: ElementChanges<Element>
      if let old = last.replace(with: new.content) {
        // This handler gets contents of this view only.
        changes = new.content.changes(from: unsafeDowncast(old, to: TypedViewContent<Element>.self))
      } else {
        changes = ElementChanges(inserting: new)
      }
      if !changes.isEmpty { plain(changes) }
    }
  }

  /// The elements as a sequence: first the present ones, then those after each commit that changed what the view shows.
  /// A slow reader gets only the newest. The sequence ends with the task that reads it, and retains the view.
  public func values() -> StateValues<ViewRows<Element>> { derived.values() }

  /// The changes as a sequence: first the present elements, as inserted; then the changes since the previous value. A
  /// slow reader gets the changes of several commits as one.
  public func elementChanges() -> ElementChangesSequence<ViewRows<Element>> {
    ElementChangesSequence(base: derived.values())
  }
}

/// The content that the handler of a view got last. The handler is called by one thread at a time.
final class LastContent: Sendable {
  private let content = Lock<ViewContent?>(nil)

  /// Returns the content before.
  func replace(with new: ViewContent) -> ViewContent? {
    content.withLock { content in
      defer { content = new }
      return content
    }
  }
}
