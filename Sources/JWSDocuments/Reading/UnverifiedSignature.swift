internal import JWTCore

/// One signature of a JWS in JSON serialization with its headers, read and not verified.
struct UnverifiedSignature {
    /// The member `protected`, base64url text: what is signed. Empty if it is absent.
    let protected: [UInt8]
    /// The protected header as JSON. Empty if it is absent.
    let protectedHeader: [UInt8]
    /// Both headers as one JSON object.
    let header: [UInt8]
    /// The signature, decoded.
    let signature: [UInt8]
    /// `b64: false` in the protected header (RFC 7797). Whether it may be there is decided where the header is judged.
    let isUnencoded: Bool
    /// The names in the unprotected header.
    let unprotectedNames: Set<[UInt8]>
    /// The hash of `kid`; nil if there is none.
    let keyID: KeyIDHash?

    /// - Parameters:
    ///   - object: has `signature`, and `protected` or `header` or both.
    ///   - place: of the signature in the document, for errors.
    ///   - limits: of a header.
    /// - Throws: `malformed_document`, `unprotected_parameter`, `header_overlap`.
    init(_ object: borrowing JSONValue, at place: Int, limits: TokenLimits) throws(DocumentError) {
        guard let written = try object.text("signature", at: place) else { throw DocumentError(.malformedDocument, signature: place) }
        signature = try Self.decoded(written, at: place)
        protected = try object.text("protected", at: place) ?? []
        // RFC 7515 section 7.2.1: a header without a parameter is absent.
        guard !protected.isEmpty || object["protected"] == nil else { throw DocumentError(.malformedDocument, signature: place) }
        protectedHeader = try Self.decoded(protected, at: place)
        var headers = JointHeader(place: place, limits: limits)
        if !protectedHeader.isEmpty { try headers.addProtected(protectedHeader) }
        if let unprotected = object["header"] { try headers.addUnprotected(unprotected) }
        guard headers.count > 0 else { throw DocumentError(.malformedDocument, signature: place) }
        header = headers.json
        isUnencoded = headers.isUnencoded
        unprotectedNames = headers.unprotectedNames
        keyID = headers.keyID
    }

    /// Whether a parameter stands in the unprotected header.
    func hasUnprotected(_ name: String) -> Bool { unprotectedNames.contains(Array(name.utf8)) }

    private static func decoded(_ text: [UInt8], at place: Int) throws(DocumentError) -> [UInt8] {
        do throws(VerificationError) {
            return try Base64URL.bytes(text.span)
        } catch {
            throw DocumentError(.malformedDocument, signature: place, cause: error.withoutOffset)
        }
    }
}
