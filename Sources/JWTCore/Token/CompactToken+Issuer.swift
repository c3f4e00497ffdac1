extension CompactToken {
    /// Whether the payload seems to name `issuer`, without escapes in the member's name. Nothing is verified: use it only to choose among
    /// known verifiers.
    package func names(issuer: String) -> Bool {
        do throws(VerificationError) {
            return try DecodedPart(payload, base: payloadOffset).names(issuer: issuer)
        } catch {
            return false
        }
    }
}

extension DecodedPart {
    /// A function of its own: the part would otherwise be put into a box.
    fileprivate borrowing func names(issuer: String) -> Bool { bytes.unverifiedIssuer?.equals(issuer) ?? false }
}
