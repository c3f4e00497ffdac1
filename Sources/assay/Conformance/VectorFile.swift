import CommandProgram
import JWTCore

/// A file of Assay's own vectors: keys, a policy, a time, and tokens with the expected verdicts.
struct VectorFile {
    struct Case: Decodable {
        let id: String
        let token: String
        let expect: String
        let severity: String?
    }

    private struct Contents: Decodable {
        let policy: VectorPolicy
        let now: NumericDate
        let cases: [Case]
    }

    let path: String
    let cases: [Case]
    let policy: VectorPolicy
    let now: NumericDate
    /// The number as a text without an exponent.
    let nowText: String
    /// `keys` and `policy` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard let object = (try? JSONTree(parsing: data))?.members, object["cases"] != nil, object["keys"] != nil,
            // A file of one's own need not name its kind.
            object["kind"].map({ $0 == .string(VectorKind.tokens.rawValue) }) ?? true
        else {
            return nil
        }
        do {
            let contents = try JSONTree.decode(Contents.self, from: data)
            self.path = path
            cases = contents.cases
            policy = contents.policy
            now = contents.now
            nowText = Self.text(contents.now)
            Self.warnOfUnknownPolicy(object["policy"], path)
            shared = object.filter { ["keys", "policy"].contains($0.key) }
        } catch {
            throw CommandFailure.usage("\(path): \(CommandFailure.sentence(for: error))")
        }
    }

    private static func text(_ date: NumericDate) -> String {
        guard date.nanoseconds > 0 else { return "\(date.seconds)" }
        var fraction = String(1_000_000_000 + date.nanoseconds).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(date.seconds).\(fraction)"
    }

    /// Warns of policy members that this runner would silently ignore.
    private static func warnOfUnknownPolicy(_ policy: JSONTree?, _ path: String) {
        for name in (policy?.members ?? [:]).keys.sorted() where !VectorPolicy.names.contains(name) {
            Terminal.error.line("\(printable(path)): policy member \(printable(name)) is unknown and not applied")
        }
    }

    func run(_ report: inout ConformanceReport) {
        let judge = VectorJudge(keys: VectorKeys(shared["keys"]), policy: policy, now: now)
        let together = judge.verdicts(onBatch: cases.map(\.token))
        for (place, vector) in cases.enumerated() {
            let got = judge.verdict(on: vector.token)
            if let together, together[place] != got {
                report.note(path, "\(vector.id), in a batch", severity: vector.severity, expected: got, got: together[place])
                continue
            }
            if got == "unsupported_algorithm", got != vector.expect, let algorithm = judge.unavailableAlgorithm(of: vector.token) {
                report.skip(because: WycheproofKeys.unavailable(algorithm))
            } else {
                report.note(path, vector.id, severity: vector.severity, expected: vector.expect, got: got)
            }
        }
    }
}

/// The keys of a vector file; null means that they are unavailable.
struct VectorKeys: KeySource {
    private let outcome: Swift.Result<KeySet, VerificationError>

    init(_ keys: JSONTree?) {
        guard let keys, keys.members != nil else {
            outcome = .failure(VerificationError(.keysUnavailable))
            return
        }
        do throws(VerificationError) { outcome = .success(try KeySet(jwks: keys.json)) } catch { outcome = .failure(error) }
    }

    func withKeys<Result: ~Copyable>(_ body: (KeySet) throws(VerificationError) -> Result) throws(VerificationError) -> Result {
        try body(try outcome.get())
    }
}

/// Assay's own verdict on a vector: "valid" or the error code.
struct VectorJudge {
    private let verifier: TokenVerifier<VectorKeys>
    private let now: NumericDate
    private let checksClaims: Bool

    init(keys: VectorKeys, policy: VectorPolicy, now: NumericDate) {
        verifier = TokenVerifier(keys: keys, policy: policy.claimsPolicy)
        self.now = now
        checksClaims = policy.claims ?? true
    }

    func verdict(on token: String) -> String {
        do throws(VerificationError) {
            if checksClaims {
                try verifier.withVerified(token.utf8.span, now: now) { _ in }
            } else {
                try verifier.withVerifiedPayload(token.utf8.span) { _, _ in }
            }
            return "valid"
        } catch {
            return error.code.name
        }
    }

    /// The verdicts on all tokens of a file as one batch; nil if payloads are not claims, because batches do not support those.
    func verdicts(onBatch tokens: [String]) -> [String]? {
        guard checksClaims else { return nil }
        return verifier.verify(batch: tokens, now: now).map { result in
            switch result {
            case .success: "valid"
            case .failure(let error): error.code.name
            }
        }
    }

    /// The token's algorithm if this libcrypto lacks it, so that there is no verdict.
    func unavailableAlgorithm(of token: String) -> SignatureAlgorithm? {
        let header = token.prefix { $0 != "." }
        guard let bytes = try? Base64URL.bytes(String(header).utf8.span),
            let algorithm = (try? JSONTree(parsing: bytes))?["alg"]?.text.flatMap(SignatureAlgorithm.init(name:))
        else { return nil }
        return algorithm.isAvailable ? nil : algorithm
    }
}
