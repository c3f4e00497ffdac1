/// Reads `Authorization` (RFC 9110 section 11.6.2).
enum AuthorizationField {
    /// The token after `scheme`, which is in lower case.
    ///
    /// Another scheme is no token of this place. The scheme without a token, or with one that no JWT can be, is a token, and the verifier
    /// refuses it. A second field, or a second scheme after a comma, is what another reader may take instead.
    static func token(of scheme: [UInt8], in values: [ArraySlice<UInt8>]) -> PresentedToken {
        guard let value = values.first else { return .none }
        guard values.count == 1 else { return .several }
        guard value.contains(UInt8(ascii: ",")) else { return credentials(of: scheme, in: value).map(PresentedToken.one) ?? .none }
        let isMentioned = value.split(separator: UInt8(ascii: ",")).contains { credentials(of: scheme, in: $0.trimmed) != nil }
        return isMentioned ? .several : .none
    }

    /// What follows the scheme and its spaces; nil for another scheme.
    private static func credentials(of scheme: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let name = text.prefix { !$0.isBlank }
        guard name.count == scheme.count, name.elementsEqual(scheme, by: { $0.lowercased == $1 }) else { return nil }
        return text.dropFirst(name.count).drop { $0 == 0x20 }
    }
}
