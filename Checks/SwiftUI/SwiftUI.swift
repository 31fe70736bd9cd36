// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for SwiftUI where there is none: as much of it as the client uses, under the same names.

@MainActor
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("never called") }
}

@resultBuilder
@MainActor
public enum ViewBuilder {
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
    (repeat each Content)
  > {
    TupleView((repeat each content))
  }
}

public struct TupleView<Content>: View {
  public let content: Content
  public init(_ content: Content) { self.content = content }
  public var body: Never { fatalError("never called") }
}

public struct Text: View {
  public let text: String
  public init(_ text: String) { self.text = text }
  public var body: Never { fatalError("never called") }
}

public struct TextField: View {
  public let text: Binding<String>
  public init(_ title: String, text: Binding<String>) { self.text = text }
  public var body: Never { fatalError("never called") }
}

public struct Toggle: View {
  public let isOn: Binding<Bool>
  public init(_ title: String, isOn: Binding<Bool>) { self.isOn = isOn }
  public var body: Never { fatalError("never called") }
}

public struct Button: View {
  public let action: @MainActor () -> Void
  public init(_ title: String, action: @escaping @MainActor () -> Void) { self.action = action }
  public var body: Never { fatalError("never called") }
}

public struct List<Data: RandomAccessCollection, Row: View>: View where Data.Element: Identifiable {
  public let rows: [Row]
  public init(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> Row) {
    rows = data.map(rowContent)
  }
  public var body: Never { fatalError("never called") }
}

@propertyWrapper
public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Binding<Value> { self }
}

@propertyWrapper
public struct State<Value> {
  private final class Storage { var value: Value; init(_ value: Value) { self.value = value } }
  private let storage: Storage

  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
  public var projectedValue: Binding<Value> {
    Binding(get: { storage.value }, set: { storage.value = $0 })
  }
}

public struct Animation: Sendable {
  public static let `default` = Animation()
}

/// How many animations were asked for.
@MainActor public var animationCount = 0

@MainActor
public func withAnimation<Result>(_ animation: Animation?, _ body: () throws -> Result) rethrows -> Result {
  animationCount += 1
  return try body()
}
