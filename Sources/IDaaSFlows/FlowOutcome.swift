/// The outcome of a call. A call whose numbers have a meaning of their own in the vendor's SDK has a type of its own. Compare cases, not
/// numbers.
public protocol FlowOutcome: Sendable {
    /// The code that the vendor's SDK passes to this call's callback: a small number, or the server's error code.
    var legacyCode: String { get }
    /// Why the call failed; nil if it succeeded or the user closed the page.
    var failure: FlowError? { get }
}

extension FlowOutcome {
    /// `0`, the server's code, or `1`.
    public var legacyCode: String { failure?.legacyCode ?? "0" }
}

/// The outcome of a call that has a value or fails.
public enum CallOutcome<Value: Sendable>: FlowOutcome {
    case success(Value)
    case failed(FlowError)

    public var failure: FlowError? { if case .failed(let error) = self { error } else { nil } }

    public func get() throws(FlowError) -> Value {
        switch self {
        case .success(let value): return value
        case .failed(let error): throw error
        }
    }

    init(isolation: isolated (any Actor)? = #isolation, of call: () async throws(FlowError) -> Value) async {
        do throws(FlowError) { self = .success(try await call()) } catch { self = .failed(error) }
    }
}
