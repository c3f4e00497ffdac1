/// How a call ended. Each call has a type of its own: the same number means different things in different callbacks of the vendor's SDK,
/// so numbers are only ever derived from a case, never compared.
public protocol FlowOutcome: Sendable {
    /// What the vendor's SDK hands to the callback of this call: a small number, or the server's error code.
    var legacyCode: String { get }
    /// Why it did not succeed; nil where it did, or where a person decided otherwise.
    var failure: FlowError? { get }
}
