/// Something that must never be.
struct Violation: Error {
    /// The number of the invariant in README.md, and what is wrong.
    let invariant: Int
    let finding: String

    init(_ invariant: Int, _ finding: String) {
        self.invariant = invariant
        self.finding = finding
    }
}

/// Throws unless `condition` holds. The finding is put into words only when there is one.
func expect(_ condition: Bool, _ invariant: Int, _ finding: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(invariant, finding()) }
}
