/// A step on the way from a payload's top to a claim. A member's name may contain dots and slashes.
public enum ClaimStep: Hashable, Sendable {
    /// A member of an object.
    case member(String)
    /// An element of an array, from zero.
    case position(Int)
    /// A reference token of a JSON Pointer (RFC 6901 section 4): the position in an array, otherwise the name of a member.
    case reference(String)
}

extension [ClaimStep] {
    /// The steps of a JSON Pointer: `/realm_access/roles/0`. Nil for a text that is none, and for the pointer to the whole payload.
    public init?(pointer: String) {
        let tokens = pointer.split(separator: "/", omittingEmptySubsequences: false)
        guard tokens.count > 1, tokens[0].isEmpty else { return nil }
        self = []
        for token in tokens.dropFirst() {
            // RFC 6901 section 3: a tilde only as ~0 and ~1.
            let escapes = token.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            guard escapes.allSatisfy({ $0.first == "0" || $0.first == "1" }) else { return nil }
            append(.reference(String(token).replacing("~1", with: "/").replacing("~0", with: "~")))
        }
    }

    /// Whether it leads to a claim.
    var isClaimPath: Bool { !isEmpty && allSatisfy { if case .position(let position) = $0 { position >= 0 } else { true } } }
}
