internal import JWTCore

/// The parts of a presentation in compact serialization (RFC 9901 section 4): the issuer's token, disclosures, and the key binding token,
/// with a tilde after each but the last. Nothing is copied.
struct PresentationParts: ~Escapable {
    /// The issuer's token.
    let token: Span<UInt8>
    /// The disclosures, each with the tilde after it.
    private let disclosed: Span<UInt8>
    /// What the key binding token is bound to: everything up to the last tilde, with it.
    let presented: Span<UInt8>
    /// The key binding token; empty if there is none.
    let keyBinding: Span<UInt8>
    /// Where the key binding token begins in the presentation.
    var keyBindingOffset: Int { presented.count }

    /// - Throws: `presentation_too_large`, `malformed_presentation`.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, limits: PresentationLimits) throws(PresentationError) {
        guard bytes.count <= min(limits.bytes, 1 << 30) else { throw PresentationError(.presentationTooLarge) }
        let first = bytes.position(ofTildeFrom: 0)
        guard first < bytes.count else { throw PresentationError(.malformedPresentation) }
        var last = bytes.count - 1
        while bytes[last] != UInt8.tilde { last -= 1 }
        token = bytes.extracting(0..<first)
        disclosed = bytes.extracting(first + 1..<last + 1)
        presented = bytes.extracting(0..<last + 1)
        keyBinding = bytes.extracting(last + 1..<bytes.count)
    }

    /// The disclosures, decoded.
    ///
    /// - Throws: `too_many_disclosures`, `malformed_presentation`, `presentation_too_large`, `invalid_disclosure`.
    func disclosures(_ limits: PresentationLimits) throws(PresentationError) -> [Disclosure] {
        var disclosures: [Disclosure] = []
        var start = 0
        while start < disclosed.count {
            guard disclosures.count < limits.disclosures else { throw PresentationError(.tooManyDisclosures) }
            let end = disclosed.position(ofTildeFrom: start)
            guard end > start else { throw PresentationError(.malformedPresentation) }
            disclosures.append(try Disclosure(disclosed.extracting(start..<end), limits))
            start = end + 1
        }
        return disclosures
    }
}

extension UInt8 {
    fileprivate static let tilde = UInt8(ascii: "~")
}

extension Span<UInt8> {
    /// The position of the first tilde from `start` on; the count if there is none.
    fileprivate func position(ofTildeFrom start: Int) -> Int {
        var position = start
        while position < count, self[position] != UInt8.tilde { position += 1 }
        return position
    }
}
