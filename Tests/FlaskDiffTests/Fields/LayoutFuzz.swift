import FlaskDiff
import Foundation
import Testing

/// A struct that holds one kind of property three times, first, in the middle and last, and references between them.
protocol Row: SendableMetatype {
  associatedtype Value
  var a: Value { get set }
  var list: [Int] { get set }
  var b: Value { get set }
  var byte: UInt8 { get set }
  var text: String { get set }
  var c: Value { get set }
}

/// One kind of property, and what is to be expected of it.
struct Kind<R: Row> {
  /// What can be had of a value by its key as a string.
  enum Access { case readable, absent }

  let make: (R.Value, [Int], R.Value, UInt8, String, R.Value) -> R
  let keyPaths: [KeyPath<R, R.Value>]
  /// Values each of which differs from all others.
  let values: [R.Value]
  var access = Access.readable
  /// Whether a value is the one of that number.
  let isValue: (R.Value, Int) -> Bool
}

/// What a row should hold: the numbers of its values.
struct RowModel: Equatable {
  var values = [0, 0, 0]
  var list = 0
  var byte = 0
  var text = 0

  static let names = ["a", "b", "c"]
  static let texts = ["", "a", "a text that does not fit into sixteen bytes"]

  mutating func edit(valueCount: Int, _ random: inout RandomEditTests.Generator) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0...1: values[0] = Int.random(in: 0..<valueCount, using: &random)
    case 2...3: values[1] = Int.random(in: 0..<valueCount, using: &random)
    case 4...5: values[2] = Int.random(in: 0..<valueCount, using: &random)
    case 6: list = Int.random(in: 0..<3, using: &random)
    case 7: byte = Int.random(in: 0..<3, using: &random)
    default: text = Int.random(in: 0..<3, using: &random)
    }
  }

  /// The keys that differ, in the order of declaration.
  func changedKeys(since old: RowModel) -> [String] {
    var keys: [String] = []
    if old.values[0] != values[0] { keys.append("a") }
    if old.list != list { keys.append("list") }
    if old.values[1] != values[1] { keys.append("b") }
    if old.byte != byte { keys.append("byte") }
    if old.text != text { keys.append("text") }
    if old.values[2] != values[2] { keys.append("c") }
    return keys
  }
}

extension Kind {
  func row(_ model: RowModel) -> R {
    make(
      values[model.values[0]],
      Array(repeating: 1, count: model.list),
      values[model.values[1]],
      UInt8(model.byte),
      RowModel.texts[model.text] + "",
      values[model.values[2]]
    )
  }

  /// A row with what the model says, where that differs: a function that is set again is another one for good.
  private func updated(_ old: R, from oldModel: RowModel, to model: RowModel) -> R {
    var new = old
    if model.values[0] != oldModel.values[0] { new.a = values[model.values[0]] }
    if model.values[1] != oldModel.values[1] { new.b = values[model.values[1]] }
    if model.values[2] != oldModel.values[2] { new.c = values[model.values[2]] }
    new.list = Array(repeating: 1, count: model.list)
    new.byte = UInt8(model.byte)
    new.text = RowModel.texts[model.text] + ""
    return new
  }

  /// Edits rows at random and compares every answer with the model's; returns what is wrong first.
  func firstFault(edits: Int, seed: UInt64) -> String? {
    var random = RandomEditTests.Generator(seed: seed)
    var model = RowModel()
    // This one is only ever changed by copying what differs.
    var copy = row(model)
    var old = copy
    for edit in 0..<edits {
      let oldModel = model
      for _ in 0..<Int.random(in: 1..<4, using: &random) { model.edit(valueCount: values.count, &random) }
      let new = updated(old, from: oldModel, to: model)
      if let fault = firstFault(in: StateDiff.changes(from: old, to: new), oldModel, model) {
        return "\(R.self), seed \(seed), edit \(edit): \(fault)"
      }
      carry(old, new, to: &copy, back: random.next() % 4 == 0)
      guard holds(copy, model) else {
        return "\(R.self), seed \(seed), edit \(edit): copied wrongly"
      }
      // Other storage for the same values, from time to time; functions would be others.
      old = edit % 100 == 99 && !isFunction ? row(model) : new
      if edit % 100 == 99 { copy = old }
    }
    return nil
  }

  private func firstFault(in changes: StateChanges<R>, _ old: RowModel, _ new: RowModel) -> String? {
    let keys = changes.keys.filter { !$0.contains(".") }
    let expected = new.changedKeys(since: old)
    if keys != expected { return "\(keys) instead of \(expected)" }
    for (index, name) in RowModel.names.enumerated() {
      let isChanged = old.values[index] != new.values[index]
      if changes.contains(name) != isChanged { return "\(name) is \(isChanged ? "not " : "")changed" }
      // Reading a function through a key path converts it, so it is never the same twice.
      if isChanged || !isFunction, changes.contains(keyPaths[index]) != isChanged {
        return "the key path to \(name) is \(isChanged ? "not " : "")changed"
      }
      let oldValue: R.Value? = changes.oldValue(name)
      let newValue: R.Value? = changes.newValue(name)
      if !isRight(oldValue, old.values[index]) { return "the old value of \(name) is wrong" }
      if !isRight(newValue, new.values[index]) { return "the new value of \(name) is wrong" }
      let boxed: Any? = changes.newValue(name)
      if !isRight(boxed.flatMap { $0 as? R.Value }, new.values[index]) {
        return "the boxed value of \(name) is wrong"
      }
      if let change = changes.change(at: keyPaths[index]), !isValue(change.new, new.values[index]) {
        return "the key path to \(name) leads to a wrong value"
      }
    }
    return nil
  }

  private var isFunction: Bool { String(describing: R.Value.self).contains("->") }

  /// An optional without content is no value where one is asked for.
  private func isRight(_ value: R.Value?, _ number: Int) -> Bool {
    guard let value else { return access == .absent || isValueNil(number) }
    return access != .absent && isValue(value, number)
  }

  private func isValueNil(_ number: Int) -> Bool {
    Mirror(reflecting: values[number]).displayStyle == .optional
  }

  private func carry(_ old: R, _ new: R, to copy: inout R, back: Bool) {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        withUnsafeMutablePointer(to: &copy) { copy in
          let layout = StateLayout.of(R.self)
          var changes = ChangeSet()
          layout.compare(old: old, new: new, into: &changes)
          if back {
            var changesBack = ChangeSet()
            layout.compare(old: new, new: old, into: &changesBack)
            let delta = StateDelta(layout: layout, changes: &changes, new: new)
            delta.apply(to: copy)
            StateDelta(layout: layout, changes: &changesBack, new: old).apply(to: copy)
            delta.apply(to: copy)
          } else {
            layout.copyDifferences(from: new, to: copy)
          }
        }
      }
    }
  }

  private func holds(_ row: R, _ model: RowModel) -> Bool {
    isValue(row.a, model.values[0]) && isValue(row.b, model.values[1]) && isValue(row.c, model.values[2])
      && row.list.count == model.list && row.byte == UInt8(model.byte)
      && row.text == RowModel.texts[model.text]
  }
}

/// Rows of all kinds under the same random edits.
@Suite struct LayoutFuzzTests {
  static let edits = ProcessInfo.processInfo.environment["FLASK_FULL"] == "1" ? 1_000_000 : 100_000
  static let seed = ProcessInfo.processInfo.environment["FLASK_SEED"].flatMap(UInt64.init) ?? 1

  @Test func `there are more than sixty kinds`() { #expect(OddKinds.all.count >= 60) }

  @Test(arguments: OddKinds.all.indices) func `every answer about a kind of property is that of the model`(
    kind: Int
  ) {
    let edits = Self.edits / OddKinds.all.count / 2
    for fault in OddKinds.all[kind](edits, Self.seed) { Issue.record("\(fault)") }
  }
}
