internal import JWTCore

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
    /// The steps of a JSON Pointer such as `/realm_access/roles/0`. A text that is no pointer has none, and neither has the empty pointer,
    /// which means the whole payload.
    public init?(pointer: String) {
        guard let pointer = JSONPointer(pointer), !pointer.steps.isEmpty else { return nil }
        self = pointer.steps.map { .reference($0) }
    }

    /// Whether it leads to a claim.
    var isClaimPath: Bool { !isEmpty && allSatisfy { if case .position(let position) = $0 { position >= 0 } else { true } } }
}
