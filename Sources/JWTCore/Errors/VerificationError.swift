/// Why a token, a key or a key set was refused: a stable code and, if there is one, the position.
///
/// Making one allocates nothing and builds no text; ``description`` derives it. Two errors are equal if their code, claim and position are.
public struct VerificationError: Error, Sendable {
    public let code: Code
    /// The registered claim that was missing, malformed or unequal to the required value.
    public let claim: RegisteredClaim?
    /// The place of a missing claim among the policy's names that no specification registers, from one; zero for none.
    let missingName: UInt8
    private var position: Int32
    private let words: StaticWords?

    /// The byte offset of the refused element, from zero, in the compact token (for a key set: in its document).
    public var offset: Int? { position < 0 ? nil : Int(position) }

    /// A sentence on this refusal that says more than the code's summary: of this library, or of a check in ``ClaimsPolicy/checks``. Nil
    /// for most codes. It is static text of a program, so it never contains a byte of the token or the key.
    public var reason: String? { words?.text }

    /// The error of a ``KeySource`` without keys.
    public static let keysUnavailable = Self(.keysUnavailable)

    package init(_ code: Code, at offset: Int? = nil, claim: RegisteredClaim? = nil) {
        self.code = code
        self.claim = claim
        self.missingName = 0
        self.position = offset.map { Int32(clamping: $0) } ?? -1
        self.words = nil
    }

    /// - Parameter reason: the sentence for ``reason``.
    package init(_ code: Code, because reason: StaticString?) {
        self.code = code
        self.claim = nil
        self.missingName = 0
        self.position = -1
        self.words = reason.flatMap { StaticWords($0) }
    }

    /// The error for the required claim at `place` among the policy's names that no specification registers.
    init(missingName place: Int) {
        self.code = .missingClaim
        self.claim = nil
        self.missingName = UInt8(clamping: place + 1)
        self.position = -1
        self.words = nil
    }

    /// The same error without its offset, for a text that was made from what the sender wrote.
    package var withoutOffset: Self {
        var error = self
        error.position = -1
        return error
    }

    /// The same error with its offset moved by `base`, for a text that contains this one's at `base`.
    package func shifted(by base: Int) -> Self {
        guard let offset else { return self }
        var error = self
        error.position = Int32(clamping: base + offset)
        return error
    }
}

extension VerificationError: Hashable {
    public static func == (a: Self, b: Self) -> Bool { a.code == b.code && a.claim == b.claim && a.position == b.position }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(claim)
        hasher.combine(position)
    }
}

extension VerificationError: CustomStringConvertible {
    /// One sentence. Never contains a byte of the token or the key.
    public var description: String {
        var text = "\(code.name): \(reason ?? code.summary)"
        if let claim { text += " [\(claim.name)]" }
        if let offset { text += " (at byte \(offset))" }
        return text
    }
}
