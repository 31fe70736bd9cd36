public import BenchmarkStates

/// The bound with a snapshot, of the wide state: copies the old struct, mutates, compares every property.
public final class HandDiffStore120 {
  private var state = State120()
  private let onFirst: (Int) -> Void
  /// The properties that the last change changed, by number; kept, so that no comparison is optimised away.
  public private(set) var changed: (UInt64, UInt64) = (0, 0)

  /// A store with the initial state.
  ///
  /// - Parameter onFirst: called with the new value when `i0` has changed.
  public init(onFirst: @escaping (Int) -> Void) {
    self.onFirst = onFirst
  }

  /// Changes the state.
  @inline(never)
  public func mutate(_ body: @escaping (inout State120) -> Void) {
    let old = state
    body(&state)
    changed = HandDiffStore120.changes(from: old, to: state)
    if changed.0 & 1 != 0 { onFirst(state.i0) }
  }

  @inline(never)
  private static func changes(from old: State120, to new: State120) -> (UInt64, UInt64) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    if old.i0 != new.i0 { low |= 1 << 0 }
    if old.i1 != new.i1 { low |= 1 << 1 }
    if old.i2 != new.i2 { low |= 1 << 2 }
    if old.i3 != new.i3 { low |= 1 << 3 }
    if old.i4 != new.i4 { low |= 1 << 4 }
    if old.i5 != new.i5 { low |= 1 << 5 }
    if old.i6 != new.i6 { low |= 1 << 6 }
    if old.i7 != new.i7 { low |= 1 << 7 }
    if old.i8 != new.i8 { low |= 1 << 8 }
    if old.i9 != new.i9 { low |= 1 << 9 }
    if old.i10 != new.i10 { low |= 1 << 10 }
    if old.i11 != new.i11 { low |= 1 << 11 }
    if old.i12 != new.i12 { low |= 1 << 12 }
    if old.i13 != new.i13 { low |= 1 << 13 }
    if old.i14 != new.i14 { low |= 1 << 14 }
    if old.i15 != new.i15 { low |= 1 << 15 }
    if old.i16 != new.i16 { low |= 1 << 16 }
    if old.i17 != new.i17 { low |= 1 << 17 }
    if old.i18 != new.i18 { low |= 1 << 18 }
    if old.i19 != new.i19 { low |= 1 << 19 }
    if old.i20 != new.i20 { low |= 1 << 20 }
    if old.i21 != new.i21 { low |= 1 << 21 }
    if old.i22 != new.i22 { low |= 1 << 22 }
    if old.i23 != new.i23 { low |= 1 << 23 }
    if old.i24 != new.i24 { low |= 1 << 24 }
    if old.i25 != new.i25 { low |= 1 << 25 }
    if old.i26 != new.i26 { low |= 1 << 26 }
    if old.i27 != new.i27 { low |= 1 << 27 }
    if old.i28 != new.i28 { low |= 1 << 28 }
    if old.i29 != new.i29 { low |= 1 << 29 }
    if old.i30 != new.i30 { low |= 1 << 30 }
    if old.i31 != new.i31 { low |= 1 << 31 }
    if old.i32 != new.i32 { low |= 1 << 32 }
    if old.i33 != new.i33 { low |= 1 << 33 }
    if old.i34 != new.i34 { low |= 1 << 34 }
    if old.i35 != new.i35 { low |= 1 << 35 }
    if old.i36 != new.i36 { low |= 1 << 36 }
    if old.i37 != new.i37 { low |= 1 << 37 }
    if old.i38 != new.i38 { low |= 1 << 38 }
    if old.i39 != new.i39 { low |= 1 << 39 }
    if old.i40 != new.i40 { low |= 1 << 40 }
    if old.i41 != new.i41 { low |= 1 << 41 }
    if old.i42 != new.i42 { low |= 1 << 42 }
    if old.i43 != new.i43 { low |= 1 << 43 }
    if old.i44 != new.i44 { low |= 1 << 44 }
    if old.i45 != new.i45 { low |= 1 << 45 }
    if old.i46 != new.i46 { low |= 1 << 46 }
    if old.i47 != new.i47 { low |= 1 << 47 }
    if old.i48 != new.i48 { low |= 1 << 48 }
    if old.i49 != new.i49 { low |= 1 << 49 }
    if old.i50 != new.i50 { low |= 1 << 50 }
    if old.i51 != new.i51 { low |= 1 << 51 }
    if old.i52 != new.i52 { low |= 1 << 52 }
    if old.i53 != new.i53 { low |= 1 << 53 }
    if old.i54 != new.i54 { low |= 1 << 54 }
    if old.i55 != new.i55 { low |= 1 << 55 }
    if old.i56 != new.i56 { low |= 1 << 56 }
    if old.i57 != new.i57 { low |= 1 << 57 }
    if old.i58 != new.i58 { low |= 1 << 58 }
    if old.i59 != new.i59 { low |= 1 << 59 }
    if old.i60 != new.i60 { low |= 1 << 60 }
    if old.i61 != new.i61 { low |= 1 << 61 }
    if old.i62 != new.i62 { low |= 1 << 62 }
    if old.i63 != new.i63 { low |= 1 << 63 }
    if old.i64 != new.i64 { high |= 1 << 0 }
    if old.i65 != new.i65 { high |= 1 << 1 }
    if old.i66 != new.i66 { high |= 1 << 2 }
    if old.i67 != new.i67 { high |= 1 << 3 }
    if old.i68 != new.i68 { high |= 1 << 4 }
    if old.i69 != new.i69 { high |= 1 << 5 }
    if old.i70 != new.i70 { high |= 1 << 6 }
    if old.i71 != new.i71 { high |= 1 << 7 }
    if old.i72 != new.i72 { high |= 1 << 8 }
    if old.i73 != new.i73 { high |= 1 << 9 }
    if old.i74 != new.i74 { high |= 1 << 10 }
    if old.i75 != new.i75 { high |= 1 << 11 }
    if old.i76 != new.i76 { high |= 1 << 12 }
    if old.i77 != new.i77 { high |= 1 << 13 }
    if old.i78 != new.i78 { high |= 1 << 14 }
    if old.i79 != new.i79 { high |= 1 << 15 }
    if old.i80 != new.i80 { high |= 1 << 16 }
    if old.i81 != new.i81 { high |= 1 << 17 }
    if old.i82 != new.i82 { high |= 1 << 18 }
    if old.i83 != new.i83 { high |= 1 << 19 }
    if old.i84 != new.i84 { high |= 1 << 20 }
    if old.i85 != new.i85 { high |= 1 << 21 }
    if old.i86 != new.i86 { high |= 1 << 22 }
    if old.i87 != new.i87 { high |= 1 << 23 }
    if old.i88 != new.i88 { high |= 1 << 24 }
    if old.i89 != new.i89 { high |= 1 << 25 }
    if old.i90 != new.i90 { high |= 1 << 26 }
    if old.i91 != new.i91 { high |= 1 << 27 }
    if old.i92 != new.i92 { high |= 1 << 28 }
    if old.i93 != new.i93 { high |= 1 << 29 }
    if old.i94 != new.i94 { high |= 1 << 30 }
    if old.i95 != new.i95 { high |= 1 << 31 }
    if old.i96 != new.i96 { high |= 1 << 32 }
    if old.i97 != new.i97 { high |= 1 << 33 }
    if old.i98 != new.i98 { high |= 1 << 34 }
    if old.i99 != new.i99 { high |= 1 << 35 }
    if old.s0 != new.s0 { high |= 1 << 36 }
    if old.s1 != new.s1 { high |= 1 << 37 }
    if old.s2 != new.s2 { high |= 1 << 38 }
    if old.s3 != new.s3 { high |= 1 << 39 }
    if old.s4 != new.s4 { high |= 1 << 40 }
    if old.s5 != new.s5 { high |= 1 << 41 }
    if old.s6 != new.s6 { high |= 1 << 42 }
    if old.s7 != new.s7 { high |= 1 << 43 }
    if old.s8 != new.s8 { high |= 1 << 44 }
    if old.s9 != new.s9 { high |= 1 << 45 }
    if old.s10 != new.s10 { high |= 1 << 46 }
    if old.s11 != new.s11 { high |= 1 << 47 }
    if old.s12 != new.s12 { high |= 1 << 48 }
    if old.s13 != new.s13 { high |= 1 << 49 }
    if old.s14 != new.s14 { high |= 1 << 50 }
    if old.s15 != new.s15 { high |= 1 << 51 }
    if old.s16 != new.s16 { high |= 1 << 52 }
    if old.s17 != new.s17 { high |= 1 << 53 }
    if old.s18 != new.s18 { high |= 1 << 54 }
    if old.s19 != new.s19 { high |= 1 << 55 }
    return (low, high)
  }
}
