internal import FlaskPrimitives

/// A view in sections: elements with equal keys are in one section. The sections are in the order of their keys, and
/// the elements of each in the order of the view.
///
/// ```swift
/// let bySection = open.sections { $0.status }
/// for section in bySection.value { print(section.id, section.rows.count) }
/// let token = bySection.observe { changes in table.apply(changes) }
/// ```
/// A section exists as long as it has an element. As for consistency and costs see ``LiveView``; a change also
/// copies eight bytes for each section.
public struct SectionedView<Key: Hashable & Sendable, Element: Identifiable & Sendable>: Sendable
where Element.ID: Sendable {
  let view: LiveView<Element>
  let key: @Sendable (Element) -> Key

  @usableFromInline
  init(_ view: LiveView<Element>, _ key: @escaping @Sendable (Element) -> Key) {
    self.view = view
    self.key = key
  }

  /// The sections now. They may be read on any thread at any time; Observation registers the read, and so does a
  /// derived value.
  public var value: ViewSections<Key, Element> { sections(view.value) }

  /// The number of sections now.
  public var count: Int { value.count }

  /// A scope of the element with an identity: see ``LiveView/scope(id:)``.
  public func scope(id: Element.ID) -> Scope<Element>? { view.scope(id: id) }

  private func sections(_ rows: ViewRows<Element>) -> ViewSections<Key, Element> {
    ViewSections(rows.content, key)
  }

  /// Calls `handler` with the changes that lead from the sections of its last call to the present ones. As
  /// `LiveView.observe(_:)`: at once with all present sections as inserted, if there are any, and then once after each
  /// commit that changed any; merged if the handler is slow.
  ///
  /// - Parameters:
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - handler: receives the changes, which are never empty.
  @available(swift, introduced: 6)
  public func observe(
    isolation: (any Actor)? = #isolation,
    @_inheritActorContext _ handler:
      @escaping @isolated(any) @Sendable (_ changes: SectionChanges<Key, Element>) ->
      Void
  ) -> SubstanceObservation {
    let plain = PlainFunction.of(handler)
    let last = LastContent()
    return view.derived.observeValue(isolation: handler.isolation ?? isolation, from: isolation) {
      _,
      newest in
      let new = sections(newest())
      let changes: SectionChanges<Key, Element>
      if let old = last.replace(with: new.content) {
        // This handler gets contents of this view only.
        changes = new.changes(
          from: ViewSections(unsafeDowncast(old, to: TypedViewContent<Element>.self), key)
        )
      } else {
        changes = new.asInserted
      }
      if !changes.isEmpty { plain(changes) }
    }
  }

  /// The sections as a sequence: first the present ones, then those after each commit that changed them. A slow reader
  /// gets only the newest.
  public func values() -> AsyncMapSequence<StateValues<ViewRows<Element>>, ViewSections<Key, Element>> {
    view.values().map { [key] in ViewSections($0.content, key) }
  }
}

extension SectionedView: Sequence {
  /// The sections now, in order. Changes during the walk have no effect on it.
  public func makeIterator() -> IndexingIterator<ViewSections<Key, Element>> { value.makeIterator() }
}

extension SectionedView: Readable {}

extension LiveView {
  /// The elements in sections: those with equal keys are in one. Sections are in the order of their keys, and their
  /// elements in the order of this view.
  ///
  /// - Parameters:
  ///   - direction: whether the section with the smallest key comes first.
  ///   - key: of an element alone.
  @inlinable
  public func sections<Key: Comparable & Hashable & Sendable>(
    _ direction: SortDirection = .ascending,
    _ key: @escaping @Sendable (_ element: Element) -> Key
  ) -> SectionedView<Key, Element> {
    sectioned(key) { ElementOrder(by: $0, direction) }
  }

  /// The elements in sections in the order of a comparator, for keys that are not comparable.
  ///
  /// - Parameters:
  ///   - key: of an element alone.
  ///   - areInIncreasingOrder: compares two keys; keys that it does not distinguish are in one section, whose identity
  ///     is the key of its first element. If that changes, the section is removed and inserted.
  @inlinable
  public func sections<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (_ element: Element) -> Key,
    by areInIncreasingOrder: @escaping @Sendable (_ a: Key, _ b: Key) -> Bool
  ) -> SectionedView<Key, Element> {
    sectioned(key) { ElementOrder(by: $0, areInIncreasingOrder) }
  }

  @inlinable
  func sectioned<Key: Hashable & Sendable>(
    _ key: @escaping @Sendable (Element) -> Key,
    _ order: @escaping @Sendable (@escaping @Sendable (UnsafeRawPointer) -> Key) -> ElementOrder
  ) -> SectionedView<Key, Element> {
    let view = changed { plan in
      plan.orders.insert(order(plan.reading(key)), at: 0)
      plan.isSectioned = true
    }
    return SectionedView(view, key)
  }
}
