internal import JWTCore

/// A disclosure, decoded (RFC 9901 section 4.2): a salt, a name unless it is for an element of an array, and a value. Its content is
/// trusted once a digest of it was found.
struct Disclosure: Sendable {
    /// As it stands in the presentation: what the digest is of.
    let text: [UInt8]
    private let array: ParsedJSON
    /// The name of the claim, unescaped, in UTF-8; nil for an element of an array.
    let name: [UInt8]?

    /// - Throws: `presentation_too_large`, `invalid_disclosure`.
    init(_ text: Span<UInt8>, _ limits: PresentationLimits) throws(PresentationError) {
        guard text.count <= limits.disclosureBytes else { throw PresentationError(.presentationTooLarge) }
        let array = try Self.array(text, limits)
        let count = array.root.count
        guard count == 2 || count == 3, array.root[0]?.string != nil else { throw PresentationError(.invalidDisclosure) }
        let name = count == 3 ? array.root[1]?.string?.utf8 : nil
        guard count == 2 || name != nil else { throw PresentationError(.invalidDisclosure) }
        self.text = Array(copying: text)
        self.array = array
        self.name = name
    }

    private static func array(_ text: Span<UInt8>, _ limits: PresentationLimits) throws(PresentationError) -> ParsedJSON {
        do throws(VerificationError) {
            let parsed = try ParsedJSON(try Base64URL.bytes(text), limits: limits.token.json)
            if parsed.root.isArray { return parsed }
        } catch {
            throw PresentationError(.invalidDisclosure, cause: error.withoutOffset)
        }
        throw PresentationError(.invalidDisclosure)
    }

    /// The name as it is written, between the quotes; empty for an element of an array.
    var writtenName: [UInt8] {
        guard name != nil, let written = array.root[1] else { return [] }
        return Array(copying: written.raw)
    }

    /// The value: the last element.
    var value: JSONValue {
        @_lifetime(borrow self) get {
            let root = array.root
            guard let value = root[root.count - 1] else { return root }
            return value
        }
    }
}
