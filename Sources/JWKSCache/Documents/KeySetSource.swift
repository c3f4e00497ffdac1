internal import JWTCore

/// A source of keys.
public struct KeySetSource: Hashable, Sendable {
    let place: Place
    let format: Format

    enum Place: Hashable, Sendable {
        case url(String)
        case issuer(String)
        case file(String)
        case inline([UInt8])
    }

    package enum Format: Sendable {
        case jwks, spiffeBundle
    }

    /// The JWK Set at an https address.
    public static func jwks(url: String) -> Self { Self(place: .url(url), format: .jwks) }

    /// The JWK Set named in the issuer's metadata: OpenID Connect Discovery, then RFC 8414. The metadata must name exactly `issuer`.
    public static func issuer(_ issuer: String) -> Self { Self(place: .issuer(issuer), format: .jwks) }

    /// A JWK Set in a file, read again within a second of a change.
    public static func file(_ path: String) -> Self { Self(place: .file(path), format: .jwks) }

    /// A JWK Set given by the program.
    public static func inline(_ document: String) -> Self { Self(place: .inline(Array(document.utf8)), format: .jwks) }

    /// The SPIFFE bundle of a trust domain at an https address; only its `jwt-svid` keys are used.
    public static func spiffeBundle(url: String) -> Self { Self(place: .url(url), format: .spiffeBundle) }

    /// A SPIFFE bundle in a file.
    public static func spiffeBundle(file path: String) -> Self { Self(place: .file(path), format: .spiffeBundle) }

    /// The source with `{tenant}` in its URL, issuer or path replaced.
    package func naming(tenant: String) -> Self {
        func named(_ text: String) -> String { text.parts(around: IssuerTemplate.mark).joined(separator: tenant) }
        return switch place {
        case .url(let url): Self(place: .url(named(url)), format: format)
        case .issuer(let issuer): Self(place: .issuer(named(issuer)), format: format)
        case .file(let path): Self(place: .file(named(path)), format: format)
        case .inline: self
        }
    }

    /// The source's name in events, metrics and status.
    var name: String {
        switch place {
        case .url(let url): url
        case .issuer(let issuer): issuer
        case .file(let path): path
        case .inline: "inline"
        }
    }

    /// The URL that is asked first; nil for a source on this machine.
    package var address: String? {
        switch place {
        case .url(let url), .issuer(let url): url
        case .file, .inline: nil
        }
    }

    /// The file that is read; nil for another source.
    package var path: String? { if case .file(let path) = place { path } else { nil } }

    /// The document that the program gives; nil for another source.
    package var document: [UInt8]? { if case .inline(let document) = place { document } else { nil } }

    /// Whether the source shows the issuer's current keys. A file or an inline document does not: as failover it serves only while there
    /// are no keys, and never replaces keys that the issuer published later.
    var isLive: Bool {
        switch place {
        case .url, .issuer: true
        case .file, .inline: false
        }
    }
}
