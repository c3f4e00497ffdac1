internal import JWTCore

/// The header and the payload of a token as JSON, in the bytes of a decision.
struct TokenDocuments: Sendable {
    var header = 0..<0
    var payload = 0..<0
}

extension Span<UInt8> {
    /// The parts of a verified token that encode its header and its payload. Base64url is strict, so these are their only encodings.
    var encodedDocuments: TokenDocuments {
        var parts = Parts(indices, separator: UInt8(ascii: ".")), documents = TokenDocuments()
        if let header = parts.next(in: self), let payload = parts.next(in: self) {
            documents = TokenDocuments(header: header, payload: payload)
        }
        return documents
    }
}

extension DecisionMemory {
    /// Appends what `text` encodes.
    ///
    /// - Returns: where it stands; empty for what is no base64url.
    mutating func append(base64URL text: Span<UInt8>) -> Range<Int> {
        let start = bytes.count
        var document: [UInt8] = []
        swap(&document, &decoded)
        defer { swap(&document, &decoded) }
        guard document.replace(byBase64URL: text) else { return start..<start }
        bytes.append(document.span)
        return start..<bytes.count
    }
}
