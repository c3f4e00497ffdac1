import CJansson
import JWTCore
import JWTSigning

/// Judges an accepted token once more, with jansson and libcrypto in the place of the code under test.
public enum Witness {
    /// Traps unless an accepted token has three parts, the only signature that the HMAC key makes, and its own algorithm in its header.
    public static func check(signed token: [UInt8], by key: SigningKey) {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        precondition(parts.count == 3, "accepted without three parts")
        let message = Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
        precondition(key.signature(of: message).map { Base64URL.encode($0) } == Array(parts[2]), "accepted with another signature")
    }

    /// Traps unless the header names only what a verifier of `algorithm` may accept.
    public static func check(header: [UInt8], algorithm: String) {
        read(header) { header in
            precondition(string(header, "alg") == Array(algorithm.utf8), "accepted under another algorithm")
            precondition(json_object_get(header, "enc") == nil, "an encrypted token was accepted")
            if let critical = json_object_get(header, "crit") {
                precondition(json_array_size(critical) == 1 && string(json_array_get(critical, 0)) == Array("b64".utf8), "a critical name")
            }
        }
    }

    /// Traps unless the claims of an accepted token are for this issuer, audience and time.
    public static func check(payload: [UInt8], issuer: String?, audience: String?, now: Double, leeway: Double) {
        read(payload) { claims in
            if let issuer { precondition(string(claims, "iss") == Array(issuer.utf8), "another issuer was accepted") }
            if let audience { precondition(audiences(claims).contains(Array(audience.utf8)), "another audience was accepted") }
            if let expiry = json_object_get(claims, "exp") {
                precondition(json_number_value(expiry) + leeway > now - 1, "an expired token was accepted")
            }
            if let start = json_object_get(claims, "nbf") {
                precondition(json_number_value(start) - leeway < now + 1, "a token of the future was accepted")
            }
        }
    }

    /// Whether jansson reads an object. It refuses a number beyond a double, and a name with NUL, which are JSON.
    public static func reads(_ object: [UInt8]) -> Bool {
        var isRead = false
        read(object) { _ in isRead = true }
        return isRead
    }

    /// The string member `name` of an object, by jansson; nil if there is none.
    public static func text(_ name: String, in object: [UInt8]) -> [UInt8]? {
        var found: [UInt8]?
        read(object) { found = string($0, name) }
        return found
    }

    /// The number in the member `name` of an object, by jansson; nil if there is none.
    public static func number(_ name: String, in object: [UInt8]) -> Double? {
        var found: Double?
        read(object) { object in
            let value = json_object_get(object, name)
            if let value, [JSON_INTEGER, JSON_REAL].contains(value.pointee.type) { found = json_number_value(value) }
        }
        return found
    }

    private static func read(_ text: [UInt8], _ body: (UnsafeMutablePointer<json_t>) -> Void) {
        var position = 0
        var duplicate: Int32 = 0
        let parsed = text.withUnsafeBytes {
            cjansson_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &position, &duplicate)
        }
        // jansson refuses a number beyond a double, and a name with NUL, which are JSON.
        guard let parsed else {
            precondition(duplicate == 0, "a repeated name was accepted")
            return
        }
        precondition(cjansson_is_object(parsed) == 1, "accepted without an object")
        body(parsed)
        cjansson_release(parsed)
    }

    private static func audiences(_ claims: UnsafeMutablePointer<json_t>) -> [[UInt8]] {
        let audience = json_object_get(claims, "aud")
        if let one = string(audience) { return [one] }
        return (0..<json_array_size(audience)).compactMap { string(json_array_get(audience, $0)) }
    }

    private static func string(_ object: UnsafeMutablePointer<json_t>, _ name: String) -> [UInt8]? { string(json_object_get(object, name)) }

    private static func string(_ value: UnsafeMutablePointer<json_t>?) -> [UInt8]? {
        guard let value, cjansson_is_string(value) == 1 else { return nil }
        return Array(UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value)))
    }
}
