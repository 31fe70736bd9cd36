/// A case that did not do what its workload asks for.
struct CaseError: Error, CustomStringConvertible {
  let description: String
}
