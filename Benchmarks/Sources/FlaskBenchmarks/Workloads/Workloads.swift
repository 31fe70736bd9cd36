/// The workloads, each with Flask, the hand-written bounds, the standard library's observation and a by-value store.
enum Workloads {
  static let bounds = [
    "W1": "hand", "W2": "hand", "W3": "hand", "W4": "hand-diff", "W5": "copy", "W6": "hand", "W7": "locked",
    "W8": "hand", "W9": "mix", "W10": "hand", "W11": "hand", "W12": "hand",
    "W13": "hand", "W14": "mix and await", "W15": "@Observable", "W16": "hand", "W17": "hand",
    "W18": "@Observable", "W19": "mix", "W20": "mix", "W21": "mix", "W24": "hand",
    "W25": "scopes, 100000", "W26": "hand, 100000", "W27": "scopes, 100000", "W29": "encoder",
    "W31": "hand, chain of 10", "W33": "hand", "W34": "a mix", "W39": "100 scopes", "W40": "mix",
  ]

  /// All cases, made when they are asked for. `names` are those wanted; all if empty.
  static func cases(of names: [String]) -> [Case] {
    let all: [(String, () -> [Case])] = [
      ("W1", changedAndObserved), ("W1", changedAndObservedInOtherForms),
      ("W2", changedAndNotObserved), ("W2", changedAndNotObservedInOtherForms),
      ("W3", manyObservers), ("W3", manyReactors), ("W4", wideState),
      ("W5", largeDictionary), ("W6", twoSubstances), ("W7", fourThreads), ("W8", nothingChanged),
      ("W9", fiveWorkers), ("W10", onMainActor), ("W11", onMainActorInSwift5), ("W12", insideActor),
      ("W13", direct), ("W14", awaited), ("W15", tracked), ("W16", derivedFromTwo), ("W17", observedList),
      ("W18", largeCollections), ("W19", traced), ("W20", recorded), ("W21", undone), ("W24", oneStore),
      ("W25", oneOfAView), ("W26", parameterOfAView), ("W27", sumOfAView), ("W29", archived),
      ("W31", derivedChains), ("W33", rowsOfArrays), ("W34", rowsOfEntities), ("W39", scopesThatComeAndGo),
      ("W40", notRead),
    ]
    return all.filter { names.isEmpty || names.contains($0.0) }.flatMap { $0.1() }
  }
}
