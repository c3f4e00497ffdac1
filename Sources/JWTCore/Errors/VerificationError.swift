/// Why a token, a key or a key set was refused: a stable code and, if there is one, the position.
///
/// Making one allocates nothing and builds no text; ``description`` derives it.
public struct VerificationError: Error, Hashable, Sendable {
    public let code: Code
    /// The registered claim that was missing, malformed or unequal to the required value.
    public let claim: RegisteredClaim?
    private let position: Int32

    /// The byte offset of the refused element, from zero, in the compact token (for a key set: in its document).
    public var offset: Int? { position < 0 ? nil : Int(position) }

    /// The error of a ``KeySource`` without keys.
    public static let keysUnavailable = Self(.keysUnavailable)

    package init(_ code: Code, at offset: Int? = nil, claim: RegisteredClaim? = nil) {
        self.code = code
        self.claim = claim
        self.position = offset.map { Int32(clamping: $0) } ?? -1
    }

    /// The same error with its offset moved by `base`, for a text that contains this one's at `base`.
    package func shifted(by base: Int) -> Self {
        guard let offset else { return self }
        return Self(code, at: base + offset, claim: claim)
    }
}

extension VerificationError: CustomStringConvertible {
    /// One sentence. Never contains a byte of the token or the key.
    public var description: String {
        var text = "\(code.name): \(code.summary)"
        if let claim { text += " [\(claim.name)]" }
        if let offset { text += " (at byte \(offset))" }
        return text
    }
}
