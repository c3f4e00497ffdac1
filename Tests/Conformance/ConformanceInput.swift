import Foundation
import JWTCore
import JWTTestSupport

/// The contents of the files in the conformance folder. A missing file reads as empty, which no test accepts.
enum ConformanceInput {
    static func object(_ name: String) -> [String: Any] { ConformanceFolder.json(name) as? [String: Any] ?? [:] }
    static func list(_ name: String) -> [[String: Any]] { ConformanceFolder.json(name) as? [[String: Any]] ?? [] }
    static func text(_ name: String) -> String { String(decoding: ConformanceFolder.bytes(name), as: UTF8.self) }

    /// The lines of a text file, without the final line end.
    static func lines(_ name: String) -> [String] { text(name).split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }

    /// The rows of a table after its heading; fields at the end of a row may be empty.
    static func table(_ name: String) -> [[String]] {
        lines(name).dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// A JSON value as text again, for functions that take documents. Strings are unchanged; members may be reordered.
    static func document(_ value: Any?) -> [UInt8] {
        guard let value, let data = try? JSONSerialization.data(withJSONObject: value) else { return [] }
        return Array(data)
    }

    /// A JSON object, for comparison.
    static func dictionary(_ bytes: [UInt8]) -> NSDictionary? { try? JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary }

    static func hex(_ value: Any?) -> [UInt8]? {
        guard let text = value as? String, text.utf8.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    static func decoded(_ base64url: String) -> [UInt8]? { try? Base64URL.bytes(base64url.utf8.span) }
    static func encoded(_ bytes: [UInt8]) -> String { String(decoding: Base64URL.encode(bytes), as: UTF8.self) }

    /// The unverified header of a token's first part or of a `protected` member.
    static func header(_ part: some StringProtocol) -> [String: Any] {
        guard let bytes = decoded(String(part)) else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]) ?? [:]
    }

    /// The algorithms that a verifier allows for this header: the one it names.
    static func algorithms(_ header: [String: Any]) -> AlgorithmSet {
        AlgorithmSet([header["alg"] as? String].compactMap { $0 }.compactMap(SignatureAlgorithm.init(name:)))
    }
}

/// A set of keys, or the error instead.
enum Keys {
    case loaded(KeySet)
    case refused(String)

    /// From any document of public keys: a JWK Set, a JWK, PEM.
    init(document: [UInt8]) {
        do throws(VerificationError) { self = .loaded(try KeySet(document: document.span)) } catch { self = .refused(error.code.name) }
    }

    init(secret: [UInt8]) {
        do throws(VerificationError) {
            self = .loaded(KeySet(try VerificationKey(secret: secret)))
        } catch {
            self = .refused(error.code.name)
        }
    }

    var set: KeySet? { if case .loaded(let set) = self { set } else { nil } }
    var refusal: String? { if case .refused(let code) = self { code } else { nil } }
    var list: [VerificationKey] { self.set?.keys ?? [] }
}

/// The result for a token: "valid" or the code, and the payload if it was lent.
struct Judgement: Equatable {
    var verdict: String
    var payload: [UInt8]?

    /// Verifies a JWS with any payload.
    init(jws token: String, _ keys: Keys, _ algorithms: AlgorithmSet = AlgorithmSet(SignatureAlgorithm.all)) {
        self.init(keys, Self.policy(algorithms)) { verifier throws(VerificationError) in
            try verifier.withVerifiedPayload(token) { payload, _ in Array(copying: payload) }
        }
    }

    /// Verifies a JWS with a detached payload.
    init(detached token: String, _ payload: [UInt8], _ keys: Keys, _ algorithms: AlgorithmSet) {
        self.init(keys, Self.policy(algorithms)) { verifier throws(VerificationError) in
            try verifier.verifyDetached(token, payload: payload)
            return payload
        }
    }

    /// Verifies a JWT under `policy`.
    init(jwt token: String, _ keys: Keys, _ policy: ClaimsPolicy = .lenient, now: NumericDate?) {
        self.init(keys, policy) { verifier throws(VerificationError) in try verifier.verify(token, now: now).payload }
    }

    private init(_ keys: Keys, _ policy: ClaimsPolicy, _ verify: (TokenVerifier<KeySet>) throws(VerificationError) -> [UInt8]) {
        guard let set = keys.set else {
            verdict = keys.refusal ?? ""
            return
        }
        do throws(VerificationError) {
            payload = try verify(TokenVerifier(keys: set, policy: policy))
            verdict = "valid"
        } catch {
            verdict = error.code.name
        }
    }

    init(_ verdict: String, _ payload: [UInt8]? = nil) {
        self.verdict = verdict
        self.payload = payload
    }

    private static func policy(_ algorithms: AlgorithmSet) -> ClaimsPolicy {
        var policy = ClaimsPolicy()
        policy.algorithms = algorithms
        return policy
    }
}
