import FuzzInput
import JWTCore

/// The registered claims on a tape.
enum Places {
    /// Traps unless the claims that the kernel finds while it reads are those that Swift finds on the tape afterwards.
    static func compare(_ text: [UInt8], _ limits: JSONLimits) {
        var limits = limits
        limits.values = min(limits.values, text.count + 1)
        var tape = [JSONNode](repeating: .placeholder, count: 2 * limits.values), found = ClaimPlaces()
        var nodes = tape.mutableSpan
        let count = (try? nodes.read(text.span, limits, finding: &found)) ?? 0
        guard count > 0, found.areFound else { return }
        let value = JSONValue(text: text.span, tape: tape.span.extracting(0..<count))
        guard value.isObject else { return precondition(found == ClaimPlaces(), "claims of something else") }
        precondition((try? ClaimPlaces(in: value, base: 0)) == found, "the kernel finds other claims")
    }

    /// Traps unless every form of the search finds the same issuer in a text that may be anything.
    static func compareIssuers(_ text: [UInt8]) { _ = KernelForms.compare { text.span.unverifiedIssuer?.utf8 } }
}
