extension TokenVerifier {
    /// Verifies a signature over `message` under a header that stands in no token: one of a JWS in JSON serialization (RFC 7515 section
    /// 7.2). Of the policy only algorithms and types apply.
    ///
    /// - Parameters:
    ///   - header: the JSON text of the header; what is protected and what is not, together.
    ///   - message: the signed bytes. The caller has looked at `b64` (RFC 7797).
    ///   - signature: the signature, decoded.
    /// - Returns: the algorithm, and the index of the key in the set.
    /// - Throws: why the signature is refused. No error has an offset, because no sender wrote the text.
    package func verifySignature(
        header: Span<UInt8>, message: Span<UInt8>, signature: Span<UInt8>
    ) throws(VerificationError) -> (algorithm: SignatureAlgorithm, keyPosition: Int) {
        guard header.count <= limits.headerBytes else { throw VerificationError(.tokenTooLarge) }
        var tape = try Scratch<JSONNode>(capacity: limits.headerNodes)
        do throws(VerificationError) {
            return try verifySignature(header, &tape, message: message, signature: signature)
        } catch {
            throw error.withoutOffset
        }
    }

    /// A function of its own for the same reason as ``Verification``.
    private func verifySignature(
        _ text: Span<UInt8>, _ tape: inout Scratch<JSONNode>, message: Span<UInt8>, signature: Span<UInt8>
    ) throws(VerificationError) -> (algorithm: SignatureAlgorithm, keyPosition: Int) {
        let header = try JOSEHeader(JSONValue(text, tape: &tape, limits: limits.headerJSON, base: 0))
        try policy.evaluate(header)
        let proof = try rules.verifySignature(header, message: message, signature: signature, limits)
        return (proof.algorithm, proof.keyPosition)
    }
}
