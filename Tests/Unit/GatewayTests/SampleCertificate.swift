import JWTCore

/// A certificate on P-256 in the forms of the gateways.
struct SampleCertificate: Sendable {
    let base64: String
    let der: [UInt8]

    private init(_ base64: String) {
        self.base64 = base64
        der = Base64.bytes(base64) ?? []
    }

    /// `CN=client`, made by openssl.
    static let client = SampleCertificate(
        "MIIBeTCCAR+gAwIBAgIUIQaFKGHoDCzjql3Ge+rKzwVa17owCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGY2xpZW50MCAXDTI2MTEzMDA2NTMxN1oYDzIxMjYx"
            + "MTA2MDY1MzE3WjARMQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASm66iNRBZFYTuzzszSFrTIHpb4nd0liLDJMPIq0hzuMA9t"
            + "JOevi4fCuVCy4oaSqQZLPkTpq3ir6A90E9f6Y7vmo1MwUTAdBgNVHQ4EFgQUcjuKGCJvGjdDt01gamjtf7rz/ycwHwYDVR0jBBgwFoAUcjuKGCJvGjdDt01g"
            + "amjtf7rz/ycwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAtfc1LdrFLjR/YeAAUQVJvH81XIylYDruDP27yeSNqGkCIGLmOkBwrG+ZPgWz"
            + "IRoqqj1S4E4+4xwCF+MSKHZTO8Hv")

    /// `CN=other`, made by openssl.
    static let other = SampleCertificate(
        "MIIBdzCCAR2gAwIBAgIUHANGUei07GH+3kxeyGTe1GT2wOswCgYIKoZIzj0EAwIwEDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTMwMDY1MzE3WhgPMjEyNjEx"
            + "MDYwNjUzMTdaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEHLq9zpGnMlJWw6vn22h6pqlXUIMefqMy/+D0HFpRyyc6CMS3"
            + "xO3FgRH7zpNxH2wWHyORrKI8RftGoJUwhPnXnaNTMFEwHQYDVR0OBBYEFFfCoo3vrURxML+B8FNZapWOz0k1MB8GA1UdIwQYMBaAFFfCoo3vrURxML+B8FNZ"
            + "apWOz0k1MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAP0URl++eFLTffgJnaSciuaIHjbXWMNXxw6mfBqHP0WvAiACnQ3Of1boAYGMHLer"
            + "XQhpJiuMxqjeNeJSOhEvoMv0hA==")

    var thumbprint: String { String(decoding: Base64URL.encode(Digest.sha256.bytes(of: der.span)), as: UTF8.self) }
    /// 64 hexadecimal digits.
    var digest: String { Self.hexadecimal(Digest.sha256.bytes(of: der.span)) }

    /// The claim of a token that is bound to it.
    var claim: String { "\"cnf\":{\"x5t#S256\":\"\(thumbprint)\"}" }

    var pem: String { Self.pem(lines(of: 64)) }

    static func pem(_ lines: [String]) -> String {
        (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }

    func lines(of count: Int) -> [String] {
        let letters = Array(base64)
        return stride(from: 0, to: letters.count, by: count).map { String(letters[$0..<min($0 + count, letters.count)]) }
    }

    /// As nginx and Envoy write it.
    var escaped: String { Self.escaped(pem) }

    static func escaped(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            let isPlain =
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
            escaped += isPlain || "-._~".utf8.contains(byte) ? String(UnicodeScalar(byte)) : "%" + hexadecimal([byte]).uppercased()
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
