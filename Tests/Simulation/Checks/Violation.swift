/// A violated invariant.
struct Violation: Error {
    /// The number of the invariant in README.md, and the finding.
    let invariant: Int
    let finding: String

    init(_ invariant: Int, _ finding: String) {
        self.invariant = invariant
        self.finding = finding
    }
}

/// Throws unless `condition` holds. `finding` is evaluated only then.
func expect(_ condition: Bool, _ invariant: Int, _ finding: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(invariant, finding()) }
}
