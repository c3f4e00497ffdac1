internal import HTTPTypes

/// A random value that a browser keeps for this server. Scripts cannot read it, and a post of another site does not carry it.
struct BrowserCookie: Sendable {
    private let name: String

    /// Identifies the browser, see ``PageDevice``.
    static let device = BrowserCookie(name: "assay-device")
    /// Ties an authorization request to the browser that made it.
    static let request = BrowserCookie(name: "assay-request")

    /// With the prefix, browsers accept the cookie from this host only, over TLS only (RFC 6265bis section 4.1.3.2). Without TLS they refuse
    /// the prefix.
    private func fullName(_ origin: RequestOrigin) -> String { origin.isTLS ? "__Host-\(name)" : name }

    /// The value of a `Set-Cookie` field.
    func field(_ value: String, for lifetime: Duration, _ origin: RequestOrigin) -> String {
        "\(fullName(origin))=\(value); Path=/; Max-Age=\(lifetime.components.seconds); HttpOnly; SameSite=Lax"
            + (origin.isTLS ? "; Secure" : "")
    }

    /// RFC 6265 section 4.2.1. A value that this server cannot have made is none.
    func value(in exchange: Exchange) -> String? {
        let name = fullName(exchange.origin)
        for pair in exchange.fields[values: .cookie].flatMap({ $0.split(separator: ";") }) {
            let parts = String(pair).trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0] == name, parts[1].utf8.count == Self.length,
                parts[1].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { continue }
            return String(parts[1])
        }
        return nil
    }

    /// The characters of a value: letters and digits.
    static let length = 32
}
