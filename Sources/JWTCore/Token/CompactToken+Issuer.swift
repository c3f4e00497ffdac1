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

    /// The position in `issuers` of the one that a search finds in the token, or -1. The token is not verified.
    package func position(in issuers: NameIndex) -> Int {
        do throws(VerificationError) {
            return try DecodedPart(payload, base: payloadOffset).position(in: issuers)
        } catch {
            return -1
        }
    }
}

extension DecodedPart {
    /// A function of its own: the part would otherwise be put into a box.
    fileprivate borrowing func names(issuer: String) -> Bool { bytes.unverifiedIssuer?.equals(issuer) ?? false }

    fileprivate borrowing func position(in issuers: NameIndex) -> Int {
        guard let issuer = bytes.unverifiedIssuer else { return -1 }
        return issuers.first(issuer)
    }
}
