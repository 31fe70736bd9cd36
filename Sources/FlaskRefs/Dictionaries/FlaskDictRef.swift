public import Foundation

/// A dictionary in a state, whose nested keys are keys of the state.
///
/// ```swift
/// struct AppState: State { var info: FlaskDictRef? }
///
/// substance.prop.info = FlaskDictRef(["foo": "bar", "nest": ["data": "some"]])
/// reaction.on("info.nest.data") { change in … }
/// ```
///
/// It is a value: a copy shares its storage and does not see later changes of the other one. So setting an entry
/// changes the state that contains the dictionary. A value is imported with all of its contents; mutable Foundation
/// objects are not read again. Any thread may read it.
///
/// Numbers are read as `Int` (`UInt` beyond its range), `Double`, `Bool` or `Decimal`, in the kind in which they were
/// stored. Texts, dates, data and URLs are read as Swift's types, lists as `[Any]`, dictionaries as `FlaskDictRef`, and
/// `NSNull` as `NSNull`. Any other object is held as it is, compared by identity unless `Equatable`, and not archived.
/// A container that contains itself must not be put in.
///
/// Importing, comparing, encoding and releasing need constant stack, however deep the nesting is.
public struct FlaskDictRef: Sendable {
  private(set) var branch: Branch

  init(branch: Branch) { self.branch = branch }

  /// Creates a dictionary with the contents of a dictionary of Foundation. Keys that are no strings are replaced by
  /// their descriptions.
  ///
  /// Complexity: linear in all contents, also of nested collections.
  public init(_ dictionary: NSDictionary) {
    self.init(taking: dictionary)
  }

  /// Creates a dictionary with the contents of a Swift dictionary.
  ///
  /// Complexity: linear in all contents, also of nested collections.
  public init(_ dictionary: [String: Any]) {
    self.init(taking: dictionary)
  }

  /// An empty dictionary.
  public init() {
    branch = Branch(.table([:]))
  }

  private init(taking dictionary: Any) {
    branch = DictValue(dictionary).branch ?? Branch(.table([:]))
  }

  /// The value of a key of this dictionary; `nil` if the key does not exist.
  ///
  /// The key is taken literally: `ref["a.b"]` is the entry `a.b`, not the entry `b` of `a`. Setting `nil` removes the
  /// key; ``FlaskNil`` and `NSNull` are entries. Complexity: O(1). Setting while a copy exists is linear in the entries
  /// of this dictionary, without those of nested dictionaries.
  public subscript(key: String) -> Any? {
    get { branch.table[key]?.exported }
    set { Branch.edit(&branch, key: key, value: newValue.map { DictValue($0) }) }
  }

  /// The value at a path of keys through nested dictionaries; `nil` if the path leads to no value.
  ///
  /// Setting a value creates the missing dictionaries on the path, and replaces values on the path that are no
  /// dictionaries. Setting `nil` removes the last key. Setting is linear in the entries of the dictionaries on the
  /// path, reading is O(1) for each of them.
  public subscript(first: String, second: String, others: String...) -> Any? {
    get {
      let keys = [first, second] + others
      let last = keys.dropLast().reduce(self as Self?) { $0?.nested($1) }
      return keys.last.flatMap { last?[$0] }
    }
    set {
      let keys = [first, second] + others
      var holders = [self]
      for key in keys.dropLast() {
        guard let nested = holders.last?.nested(key) else {
          if newValue == nil { return }
          holders.append(FlaskDictRef())
          continue
        }
        holders.append(nested)
      }
      var value = newValue
      for (key, var holder) in zip(keys, holders).reversed() {
        holder[key] = value
        value = holder
        self = holder
      }
    }
  }

  /// The keys of this dictionary, sorted. Complexity: O(n log n).
  public func keys() -> [String] { branch.table.keys.sorted() }

  /// The number of entries of this dictionary, including those that are nil or null. Complexity: O(1).
  public func count() -> Int { branch.table.count }

  private func nested(_ key: String) -> FlaskDictRef? {
    guard let nested = branch.table[key]?.branch, case .table = nested.content else { return nil }
    return FlaskDictRef(branch: nested)
  }
}

extension FlaskDictRef: Equatable {
  /// Whether both dictionaries have the same keys and values, including those of nested dictionaries.
  ///
  /// Numbers of different kinds differ, as do nil and null; NaN equals itself. Complexity: linear, O(1) for copies.
  public static func == (a: FlaskDictRef, b: FlaskDictRef) -> Bool { Branch.areEqual(a.branch, b.branch) }
}

extension FlaskDictRef: CustomStringConvertible {
  /// The contents as JSON, sorted by key, as in an archive. Complexity: O(n log n).
  public var description: String { JSONTextWriter.text(of: branch).text }
}
