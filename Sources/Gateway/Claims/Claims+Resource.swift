internal import JWTCore

extension Claims {
    /// Whether `aud` is `audience`, or has it among others (RFC 7519 section 4.1.3).
    func isFor(_ audience: Span<UInt8>) -> Bool {
        guard let claim = self.audience else { return false }
        if let one = claim.string { return one.equals(audience) }
        var isFound = false
        claim.forEachElement { element in if element.string?.equals(audience) ?? false { isFound = true } }
        return isFound
    }

    /// Whether `acr` is this text (RFC 9470 section 5).
    func hasContextClass(_ text: Span<UInt8>) -> Bool { self["acr"]?.string?.equals(text) ?? false }
}
