extension CompactToken {
    /// Whether the payload seems to name `issuer`, without escapes in the member's name. Nothing is verified: use it only to choose among
    /// known verifiers.
    package func names(issuer: String) -> Bool {
        do throws(VerificationError) {
            let payload = try DecodedPart(payload, base: payloadOffset)
            return payload.bytes.unverifiedIssuer == issuer
        } catch {
            return false
        }
    }
}
