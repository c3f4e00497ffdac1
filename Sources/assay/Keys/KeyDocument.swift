import Foundation
import JWTCore

/// Where keys are read from on the command line: a file, an address, or an issuer's discovery document.
enum KeyDocument {
    /// The keys of `place`: a file, or a URL of a JWK Set or of an issuer.
    static func keys(at place: String, isFresh: Bool = false) async throws -> KeySet {
        guard isURL(place) else { return try parse(try file(place), from: place) }
        if let document = try? await HTTPDocument.fetch(place, isFresh: isFresh), let keys = try? KeySet(jwks: document.span) {
            return keys
        }
        return try await keys(ofIssuer: place, isFresh: isFresh)
    }

    /// The keys of `issuer`, through its discovery document (OIDC Discovery section 4), which must name exactly that issuer.
    static func keys(ofIssuer issuer: String, isFresh: Bool = false) async throws -> KeySet {
        guard isURL(issuer), URL(string: issuer)?.host?.isEmpty == false else {
            throw CommandFailure.usage("an issuer is an https address; name its keys with --keys")
        }
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let document = try await HTTPDocument.fetch(base + "/.well-known/openid-configuration", isFresh: isFresh)
        guard let discovery = try? JSONDecoder().decode(Discovery.self, from: Data(document)) else {
            throw CommandFailure.keysUnavailable("the discovery document of \(issuer) is not one")
        }
        guard discovery.issuer.isExactly(issuer) else {
            throw CommandFailure.keysUnavailable("the discovery document of \(issuer) names another issuer")
        }
        return try parse(try await HTTPDocument.fetch(discovery.jwksURI, isFresh: isFresh), from: discovery.jwksURI)
    }

    static func isURL(_ place: String) -> Bool { place.hasPrefix("https://") || place.hasPrefix("http://") }

    private static func file(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else { throw CommandFailure.keysUnavailable("cannot read \(path)") }
        return Array(data)
    }

    private static func parse(_ document: [UInt8], from place: String) throws -> KeySet {
        do {
            return try KeySet(document: document.span)
        } catch {
            throw CommandFailure.keysUnavailable("\(place) holds no key this can use: \(error)")
        }
    }

    private struct Discovery: Decodable {
        let issuer: String
        let jwksURI: String

        enum CodingKeys: String, CodingKey {
            case issuer
            case jwksURI = "jwks_uri"
        }
    }
}
