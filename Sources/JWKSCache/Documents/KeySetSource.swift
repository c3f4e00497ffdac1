/// A place that keys come from.
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

    /// The JWK Set behind an https address.
    public static func jwks(url: String) -> Self { Self(place: .url(url), format: .jwks) }

    /// The JWK Set that the issuer's metadata names: OpenID Connect Discovery, then RFC 8414. The metadata has to name exactly `issuer`.
    public static func issuer(_ issuer: String) -> Self { Self(place: .issuer(issuer), format: .jwks) }

    /// A JWK Set in a file, read again within a second of its changing.
    public static func file(_ path: String) -> Self { Self(place: .file(path), format: .jwks) }

    /// A JWK Set that the program holds.
    public static func inline(_ document: String) -> Self { Self(place: .inline(Array(document.utf8)), format: .jwks) }

    /// The SPIFFE bundle of a trust domain behind an https address; its `jwt-svid` keys count.
    public static func spiffeBundle(url: String) -> Self { Self(place: .url(url), format: .spiffeBundle) }

    /// A SPIFFE bundle in a file.
    public static func spiffeBundle(file path: String) -> Self { Self(place: .file(path), format: .spiffeBundle) }

    /// What it is called in events, metrics and status.
    var name: String {
        switch place {
        case .url(let url): url
        case .issuer(let issuer): issuer
        case .file(let path): path
        case .inline: "inline"
        }
    }

    /// Whether it speaks for the issuer at this moment. What the operator laid down once does not: it helps out when there is
    /// nothing else, and never replaces what an issuer said later.
    var isLive: Bool {
        switch place {
        case .url, .issuer: true
        case .file, .inline: false
        }
    }
}
