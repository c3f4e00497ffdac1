import Foundation
import JWTCore
import JWTTestSupport

/// What the files of the conformance folder hold, as the tests ask for it. Anything missing reads as empty, which no test accepts.
enum ConformanceInput {
    static func object(_ name: String) -> [String: Any] { ConformanceFolder.json(name) as? [String: Any] ?? [:] }
    static func list(_ name: String) -> [[String: Any]] { ConformanceFolder.json(name) as? [[String: Any]] ?? [] }
    static func text(_ name: String) -> String { String(decoding: ConformanceFolder.bytes(name), as: UTF8.self) }

    /// The lines of a text file, without the last one's end.
    static func lines(_ name: String) -> [String] { text(name).split(separator: "\n", omittingEmptySubsequences: true).map(String.init) }

    /// The rows of a table under its heading; fields at the end of a row may be empty.
    static func table(_ name: String) -> [[String]] {
        lines(name).dropFirst().map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// A JSON value as text again, for what takes documents. Strings stay what they are; members may change places.
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

    /// The header that a token's first part or a `protected` member spells, unverified.
    static func header(_ part: some StringProtocol) -> [String: Any] {
        guard let bytes = decoded(String(part)) else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]) ?? [:]
    }

    /// The algorithms a verifier of this header is set to: the one it names.
    static func algorithms(_ header: [String: Any]) -> AlgorithmSet {
        AlgorithmSet([header["alg"] as? String].compactMap { $0 }.compactMap(SignatureAlgorithm.init(name:)))
    }
}

/// A set of keys, or why there is none.
enum Keys {
    case loaded(KeySet)
    case refused(String)

    /// From whatever holds public keys: a JWK Set, a JWK, PEM.
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

/// What came of a token: "valid" or the code, and the payload where it was lent.
struct Judgement: Equatable {
    var verdict: String
    var payload: [UInt8]?

    /// Verifies a JWS whatever its payload.
    init(jws token: String, _ keys: Keys, _ algorithms: AlgorithmSet = AlgorithmSet(SignatureAlgorithm.all)) {
        guard let set = keys.set else {
            verdict = keys.refusal ?? ""
            return
        }
        do throws(VerificationError) {
            let verifier = TokenVerifier(keys: set, policy: Self.policy(algorithms))
            payload = try verifier.withVerifiedPayload(token.utf8.span) { payload, _ in Array(copying: payload) }
            verdict = "valid"
        } catch {
            verdict = error.code.name
        }
    }

    /// Verifies a JWS that travels without its payload.
    init(detached token: String, _ payload: [UInt8], _ keys: Keys, _ algorithms: AlgorithmSet) {
        guard let set = keys.set else {
            verdict = keys.refusal ?? ""
            return
        }
        do throws(VerificationError) {
            try TokenVerifier(keys: set, policy: Self.policy(algorithms)).verifyDetached(token.utf8.span, payload: payload.span)
            verdict = "valid"
            self.payload = payload
        } catch {
            verdict = error.code.name
        }
    }

    /// Verifies a JWT under `policy`.
    init(jwt token: String, _ keys: Keys, _ policy: ClaimsPolicy = .lenient, now: NumericDate?) {
        guard let set = keys.set else {
            verdict = keys.refusal ?? ""
            return
        }
        do throws(VerificationError) {
            payload = try TokenVerifier(keys: set, policy: policy).verify(token.utf8.span, now: now).payload
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
