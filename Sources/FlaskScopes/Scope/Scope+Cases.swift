extension Mixable {
  /// Returns a scope of the payload of a case of an enum property; `nil` if the property is of another case now.
  ///
  /// ```swift
  /// route.scope(\.screen, case: Screen.post)?.mix { $0.isEditing = true }
  /// ```
  /// The scope always resolves to the present payload. While the property is of another case, reads return the last
  /// committed payload, and a mix does nothing and has the outcome `gone`. The observations of the payload have ended.
  ///
  /// A payload with labels is passed without them: `case move(from: Int, to: Int)` has an `(Int, Int)`. The payload is
  /// read by reflection (`Mirror`), about a microsecond each time. An enum with a `Mirror` of its own
  /// (`CustomReflectable`), or with a metatype or a bare function as payload, cannot be read: that is the fault
  /// `layoutInDoubt`, and the result is `nil`.
  ///
  /// - Parameters:
  ///   - keyPath: of the enum.
  ///   - make: the constructor of the case, such as `Screen.post`, or a closure without side effects that makes values
  ///     of one case from its payload.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public func scope<Root: Sendable, Payload: Sendable>(
    _ keyPath: WritableKeyPath<Part, Root>,
    case make: @escaping @Sendable (Payload) -> Root,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Scope<Payload>? {
    scope(keyPath).content(ofCase: make, at: SourcePlace(fileID, line))
  }

  /// Returns a scope of the payload of a case of an optional enum property; `nil` if the property is `nil` or of
  /// another case now. See `scope(_:case:)`.
  public func scope<Root: Sendable, Payload: Sendable>(
    _ keyPath: WritableKeyPath<Part, Root?>,
    case make: @escaping @Sendable (Payload) -> Root,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Scope<Payload>? {
    scope(whole: keyPath).content(ofOptionalCase: make, at: SourcePlace(fileID, line))
  }
}

extension Scope {
  /// The payload of a case of the part, which is an enum.
  package func content<Payload: Sendable>(
    ofCase make: @escaping @Sendable (Payload) -> Part,
    at place: SourcePlace
  ) -> Scope<Payload>? {
    if !canRead(Payload.self, of: Part.self, at: place) { return nil }
    return member(CaseContent(enumCase: EnumCase(make)))
  }

  /// The payload of a case of the part, which is an optional enum.
  package func content<Root: Sendable, Payload: Sendable>(
    ofOptionalCase make: @escaping @Sendable (Payload) -> Root,
    at place: SourcePlace
  ) -> Scope<Payload>? where Part == Root? {
    if !canRead(Payload.self, of: Root.self, at: place) { return nil }
    return member(OptionalCaseContent(enumCase: EnumCase(make)))
  }

  /// Whether the payloads of a case can be read; if not, a fault is reported.
  func canRead<Root, Payload>(_ payload: Payload.Type, of root: Root.Type, at place: SourcePlace) -> Bool {
    if cell.flux.caseTypes.canRead(payload, of: root) { return true }
    cell.flux.report(
      .layoutInDoubt,
      "the payloads of \(root) can't be read, so no scope of its case with \(payload) exists: it is no enum, has a mirror "
        + "of its own (`CustomReflectable`), or has a metatype or a bare function as payload; wrap that in a struct",
      at: place
    )
    return false
  }
}
