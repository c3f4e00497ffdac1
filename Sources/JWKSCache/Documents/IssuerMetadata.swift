internal import JWTCore

/// The part of an issuer's metadata that concerns its keys (OpenID Connect Discovery section 3, RFC 8414 section 2).
package struct IssuerMetadata: Sendable {
    package let keysURL: String
    /// `id_token_signing_alg_values_supported`, if present.
    package let algorithms: [String]?

    /// - Throws: `issuerMismatch` unless the document names `issuer` byte for byte; `invalidMetadata`.
    package init(_ document: [UInt8], of issuer: String) throws(RefreshFailure) {
        do throws(VerificationError) {
            let tree = try JSONDocument(parsing: document.span)
            try self.init(tree.root, of: issuer)
        } catch {
            throw error.code == .issuerMismatch ? .issuerMismatch : .invalidMetadata
        }
    }

    private init(_ root: borrowing JSONElement, of issuer: String) throws(VerificationError) {
        guard let named = root["issuer"]?.utf8 else { throw VerificationError(.invalidKey) }
        guard named.elementsEqual(issuer.utf8) else { throw VerificationError(.issuerMismatch) }
        guard let url = root["jwks_uri"]?.string, Self.isAsSafe(url, as: issuer) else { throw VerificationError(.invalidKey) }
        keysURL = url
        algorithms = root["id_token_signing_alg_values_supported"]?.strings
    }

    /// An https issuer must not name an http address.
    private static func isAsSafe(_ url: String, as issuer: String) -> Bool {
        url.hasPrefix("https://") || issuer.hasPrefix("http://") && url.hasPrefix("http://")
    }

    /// The metadata addresses, in this order: OpenID Connect Discovery section 4, RFC 8414 section 3.1. Nil if this cannot be an issuer.
    package static func addresses(of issuer: String) -> [String]? {
        guard let scheme = ["https://", "http://"].first(where: issuer.hasPrefix),
            issuer.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        else { return nil }
        let rest = issuer.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard !authority.isEmpty else { return nil }
        var path = rest.dropFirst(authority.count)
        if path.last == "/" { path = path.dropLast() }
        let origin = scheme + authority
        return [
            origin + path + "/.well-known/openid-configuration", origin + "/.well-known/oauth-authorization-server" + path,
        ]
    }
}
