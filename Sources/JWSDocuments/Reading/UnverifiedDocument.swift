internal import JWTCore

/// A JWS in JSON serialization (RFC 7515 section 7.2), read and not verified.
struct UnverifiedDocument {
    /// The member `payload`, unescaped: base64url text, or the payload itself where `b64` is false. Nil if it is absent.
    let payload: [UInt8]?
    /// At least one.
    let signatures: [UnverifiedSignature]

    /// - Throws: `document_too_large`, `malformed_document`, `no_signatures`, `too_many_signatures`, `mixed_encodings`; the errors of
    ///   ``UnverifiedSignature/init(_:at:limits:)``.
    init(_ text: Span<UInt8>, limits: DocumentLimits) throws(DocumentError) {
        // Positions in JSON are stored in 32 bits.
        guard text.count <= min(limits.bytes, 1 << 30) else { throw DocumentError(.documentTooLarge) }
        let document = try Self.parsed(text, limits)
        let root = document.root
        payload = try root.text("payload")
        if let list = root["signatures"] {
            signatures = try Self.general(root, list, limits)
        } else {
            signatures = [try UnverifiedSignature(root, at: 0, limits: limits.token)]
        }
        let isUnencoded = signatures[0].isUnencoded
        // RFC 7797 section 3: the payload has one form.
        guard signatures.allSatisfy({ $0.isUnencoded == isUnencoded }) else { throw DocumentError(.mixedEncodings) }
    }

    var isUnencoded: Bool { signatures[0].isUnencoded }

    private static func parsed(_ text: Span<UInt8>, _ limits: DocumentLimits) throws(DocumentError) -> ParsedJSON {
        do throws(VerificationError) {
            let parsed = try ParsedJSON(Array(copying: text), limits: limits.json)
            if parsed.root.isObject { return parsed }
        } catch {
            throw DocumentError(.malformedDocument, cause: error)
        }
        throw DocumentError(.malformedDocument)
    }

    /// RFC 7515 section 7.2.2: what belongs to one signature does not stand beside `signatures`.
    private static func general(
        _ root: JSONValue, _ list: JSONValue, _ limits: DocumentLimits
    ) throws(DocumentError) -> [UnverifiedSignature] {
        let isFlattenedToo = root["signature"] != nil || root["protected"] != nil || root["header"] != nil
        guard list.isArray, !isFlattenedToo else { throw DocumentError(.malformedDocument) }
        guard list.count > 0 else { throw DocumentError(.noSignatures) }
        guard list.count <= limits.signatures else { throw DocumentError(.tooManySignatures) }
        var signatures: [UnverifiedSignature] = []
        try list.forEachElement { element throws(DocumentError) in
            guard element.isObject else { throw DocumentError(.malformedDocument, signature: signatures.count) }
            signatures.append(try UnverifiedSignature(element, at: signatures.count, limits: limits.token))
        }
        return signatures
    }
}

extension JSONValue {
    /// The unescaped UTF-8 of a member; nil if it is absent.
    ///
    /// - Throws: `malformed_document` if it is no string.
    func text(_ name: String, at place: Int? = nil) throws(DocumentError) -> [UInt8]? {
        guard let value = self[name] else { return nil }
        guard let string = value.string else { throw DocumentError(.malformedDocument, signature: place) }
        return string.utf8
    }
}

extension DocumentLimits {
    /// Those of a token's payload, but for one string: the payload of a document.
    fileprivate var json: JSONLimits {
        var limits = token.json
        limits.stringBytes = bytes
        return limits
    }
}
