internal import JWTCore

/// A claim of a payload as text, for what a host shows beside the fields for the upstream.
package enum ClaimText {
    /// The claim's text, as a field of it would have it (``ClaimField``).
    ///
    /// - Parameters:
    ///   - claim: a name, or a JSON Pointer (RFC 6901) if it begins with a slash.
    ///   - payload: a JSON object.
    ///   - isJSON: whether an array becomes JSON.
    /// - Returns: an empty text for a claim that is absent, and for a payload that is no JSON.
    package static func text(of claim: String, in payload: [UInt8], isJSON: Bool) -> String {
        let steps = claim.utf8.first == UInt8(ascii: "/") ? [ClaimStep](pointer: claim) : [.member(claim)]
        guard let steps, let document = try? ParsedJSON(payload) else { return "" }
        var text: [UInt8] = []
        ClaimField(ClaimHeader("", path: steps, arrays: isJSON ? .json : .joined(","))).append(document.root, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
