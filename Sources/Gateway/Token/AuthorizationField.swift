internal import JWTCore

/// Reads `Authorization` (RFC 9110 section 11.6.2).
enum AuthorizationField {
    private static let name = Array("authorization".utf8)

    /// The token after `scheme`, which is in lower case.
    ///
    /// Another scheme is no token of this place. The scheme without a token, or with one that no JWT can be, is a token, and the verifier
    /// refuses it. A second field, or a second scheme after a comma, is what another reader may take instead.
    static func token(of scheme: [UInt8], in request: RequestView) -> PresentedToken {
        var found: Int?
        for place in 0..<request.fieldCount where request.isField(place, name) {
            guard found == nil else { return .several }
            found = place
        }
        guard let found else { return .none }
        let value = request.fieldValue(found), whole = value.trimmed(value.indices)
        guard value.first(UInt8(ascii: ","), in: whole) == nil else { return mentions(scheme, in: value, whole) ? .several : .none }
        return credentials(of: scheme, in: value, whole).map { .one(.field(found, $0)) } ?? .none
    }

    private static func mentions(_ scheme: [UInt8], in value: Span<UInt8>, _ whole: Range<Int>) -> Bool {
        var parts = Parts(whole, separator: UInt8(ascii: ","))
        while let part = parts.next(in: value) {
            if !part.isEmpty, credentials(of: scheme, in: value, value.trimmed(part)) != nil { return true }
        }
        return false
    }

    /// What follows the scheme and its spaces; nil for another scheme.
    private static func credentials(of scheme: [UInt8], in value: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        var start = range.lowerBound
        while start < range.upperBound, !value[start].isBlank { start += 1 }
        guard value.equals(lowercased: scheme, in: range.lowerBound..<start) else { return nil }
        while start < range.upperBound, value[start] == 0x20 { start += 1 }
        return start..<range.upperBound
    }
}
