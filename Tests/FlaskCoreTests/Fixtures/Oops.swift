/// What closures throw.
struct Oops: Error {}
