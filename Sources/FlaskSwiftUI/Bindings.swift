@_exported public import FlaskActions
@_exported public import FlaskArchive
@_exported public import FlaskCore
@_exported public import FlaskDerived
@_exported public import FlaskEntities
@_exported public import FlaskScopes
@_exported public import FlaskSwift5

#if canImport(SwiftUI)
  public import SwiftUI

  extension Substance {
    /// A two-way connection to a property of the state: reading it is tracked as reading the property is, and each
    /// write is a mix.
    ///
    /// ```swift
    /// TextField("Name", text: profile.binding(\.name))
    /// ```
    /// A write is performed before it returns if the flux is idle and unlocked; else the view shows the old value until
    /// its turn has come.
    @MainActor
    public func binding<Value: Sendable>(_ keyPath: any WritableKeyPath<S, Value> & Sendable) -> Binding<
      Value
    > {
      Binding(
        get: { self[keyPath] },
        set: { value in self.mix(isolation: MainActor.shared) { $0[keyPath: keyPath] = value } }
      )
    }

    /// Changes the state, and has the views that show it change with an animation. For everything else see `mix(_:)`. A
    /// mix that has to wait for its turn is not animated.
    @MainActor
    @discardableResult
    public func mix(animation: Animation?, _ body: @escaping @Sendable (inout S) throws -> Void)
      -> FluxReceipt
    {
      withAnimation(animation) { mix(isolation: MainActor.shared, body) }
    }
  }

  extension Scope {
    /// A two-way connection to a property of the part: each write is a mix. If the part no longer exists, reads return
    /// the last value, and writes do nothing.
    @MainActor
    public func binding<Value: Sendable>(_ keyPath: any WritableKeyPath<Part, Value> & Sendable) -> Binding<
      Value
    > {
      Binding(
        get: { self[keyPath] },
        set: { value in self.mix(isolation: MainActor.shared) { $0[keyPath: keyPath] = value } }
      )
    }

    /// A two-way connection to the whole part.
    @MainActor
    public var binding: Binding<Part> {
      Binding(
        get: { self.value },
        set: { value in self.mix(isolation: MainActor.shared) { $0 = value } }
      )
    }

    /// Changes the part, and has the views that show it change with an animation. For everything else see `mix(_:)`.
    @MainActor
    @discardableResult
    public func mix(animation: Animation?, _ body: @escaping @Sendable (inout Part) throws -> Void)
      -> FluxReceipt
    {
      withAnimation(animation) { mix(isolation: MainActor.shared, body) }
    }
  }
#endif
