extension Contents {
  /// The comparison of values of a common type, such as `Int?` or `[String]`; `nil` for all other types. Its code is
  /// compiled for this type and not generic.
  ///
  /// The results are those of the generic comparison, computed several times faster.
  static func common(for record: TypeRecord, structural: () -> Contents) -> Contents? {
    @inline(__always) func make<Value: Equatable>(_ type: Value.Type) -> Contents {
      .equatable(type, record: record, structural: structural())
    }
    let type = record.type
    if type == Int?.self { return make(Int?.self) }
    if type == Double?.self { return make(Double?.self) }
    if type == Bool?.self { return make(Bool?.self) }
    if type == String?.self { return make(String?.self) }
    if type == [Int].self { return make([Int].self) }
    if type == [Double].self { return make([Double].self) }
    if type == [String].self { return make([String].self) }
    if type == [String: Int].self { return make([String: Int].self) }
    if type == [String: String].self { return make([String: String].self) }
    if type == [String: Bool].self { return make([String: Bool].self) }
    if type == Set<Int>.self { return make(Set<Int>.self) }
    if type == Set<String>.self { return make(Set<String>.self) }
    return nil
  }
}
