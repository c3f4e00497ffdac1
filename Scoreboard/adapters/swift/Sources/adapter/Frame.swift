// What an adapter in Swift needs besides its library: the protocol, whose lines are questions and answers.

import Foundation

/// One text, or several.
struct Texts: Decodable {
    let values: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        values = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }
}

struct Policy: Decodable {
    var algorithms, required: [String]?
    var issuer, audience: Texts?
    var leeway: Double?
    var requireExpiration, claims: Bool?
    var preset: String?
}

struct Question<Key: Decodable & Sendable>: Decodable {
    struct KeySet: Decodable {
        let keys: [Key]
    }

    let id, token: String
    let keys: KeySet?
    let policy: Policy
    let now: Double
}

/// What a policy asks, with its defaults filled in.
struct Rules: Sendable {
    private static let asymmetric = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "ES256K", "EdDSA", "Ed25519", "Ed448", "ML-DSA-44",
        "ML-DSA-65", "ML-DSA-87",
    ]
    private static let presets = [
        "id_token": ["iss", "sub", "aud", "exp", "iat"], "access_token": ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"],
    ]

    let algorithms, issuers, audiences: [String]
    /// The names of the claims that have to be there.
    let required: Set<String>
    let now: Date
    let leeway: TimeInterval

    init(_ policy: Policy, now: Double) {
        algorithms = policy.algorithms ?? Self.asymmetric
        issuers = policy.issuer?.values ?? []
        audiences = policy.audience?.values ?? []
        var names = Set(Self.presets[policy.preset ?? ""] ?? []).union(policy.required ?? [])
        if !issuers.isEmpty { names.insert("iss") }
        if !audiences.isEmpty { names.insert("aud") }
        if policy.requireExpiration ?? true { names.insert("exp") }
        required = names
        self.now = Date(timeIntervalSince1970: now)
        leeway = policy.leeway ?? 60
    }
}

/// What a caller reads of a token before its verification: by the name of the key it chooses.
struct Header: Decodable {
    let alg, kid: String?

    /// Empty if the part is no such header. The library itself has to refuse it.
    init(of token: String) {
        let part = String(token.prefix { $0 != "." })
        self = decoded(part).flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? Self()
    }

    private init() { (alg, kid) = (nil, nil) }
}

/// The octets of a member of a key, which must be in base64url as RFC 7515 section 2 defines it.
func octets(_ text: String) -> Data? {
    decoded(text).flatMap { encoded($0) == text ? $0 : nil }
}

private func decoded(_ text: String) -> Data? {
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    return Data(base64Encoded: base64.padding(toLength: (base64.count + 3) / 4 * 4, withPad: "=", startingAt: 0))
}

private func encoded(_ octets: Data) -> String {
    let base64 = octets.base64EncodedString().replacingOccurrences(of: "=", with: "")
    return base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
}

/// The library has no call for what the case asks.
struct Unsupported: Error {
    let reason: String
}

struct Answer: Encodable {
    let id: String
    let verdict: String
    let lacks: [String]
    let reason: String
}

/// Answers until the input ends. `check` returns if the library takes the token. `lacks` are names of Docs/Scoreboard.md.
func serve<Key>(lacks: [String], check: (Question<Key>) async throws -> Void) async throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    while let line = readLine() {
        let (verdict, reason) = await judged(line, decoder, check)
        let answer = try JSONEncoder().encode(Answer(id: identifier(line), verdict: verdict, lacks: lacks, reason: reason))
        FileHandle.standardOutput.write(answer + [UInt8(ascii: "\n")])
    }
}

private func judged<Key>(
    _ line: String, _ decoder: JSONDecoder, _ check: (Question<Key>) async throws -> Void
) async -> (verdict: String, reason: String) {
    do {
        try await check(decoder.decode(Question<Key>.self, from: Data(line.utf8)))
        return ("valid", "")
    } catch let unsupported as Unsupported {
        return ("unsupported", unsupported.reason)
    } catch {
        return ("invalid", String(String(describing: error).prefix(300)))
    }
}

/// The id of a question, even if the rest of it is no JSON for the library.
private func identifier(_ line: String) -> String {
    line.firstMatch(of: /"id": "([^"]*)"/).map { String($0.1) } ?? ""
}
