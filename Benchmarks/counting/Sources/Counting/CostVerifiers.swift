import Costs
import Fixtures
import Foundation
import JWKSCache
import JWTCore

/// The verifiers that hostile tokens are for: of one issuer, and of a hundred among which the token chooses.
final class CostVerifiers {
    /// The algorithms whose verifiers are measured, each with a file of vectors that has a key, and the key's name.
    private static let keys: [(algorithm: SignatureAlgorithm, bytes: Int, file: String, keyID: String)] = [
        (.es256, 64, "algorithm-faults", "p256-1"), (.rs256, 256, "algorithm-faults", "rsa-1"),
        (.edDSA, 64, "algorithm-faults", "ed25519-1"), (.hs256, 32, "algorithm-faults-hmac", "secret-1"),
    ]
    static let algorithms = keys.map(\.algorithm)

    let target: HostileTarget
    private let single: TokenVerifier<KeySet>
    /// Nil for HMAC, because a published secret is never used, and with other keys, whose tables would not all fit.
    private let routed: TrustedIssuers?
    /// The instructions of the failed checks that were counted, by the size of the token: tokens of one size cost the same.
    private var checks: [Int: Int] = [:]

    /// - Parameter others: so many keys more, which fit the algorithm too.
    init(_ algorithm: SignatureAlgorithm = .es256, others: Int = 0) throws {
        guard let key = Self.keys.first(where: { $0.algorithm == algorithm }) else { fatalError("no key for \(algorithm.name)") }
        let issuer = "https://idp.example"
        target = HostileTarget(algorithm: algorithm.name, signatureBytes: key.bytes, keyID: key.keyID, issuer: issuer)
        let document = try Fixtures.keys(key.file, keyID: key.keyID, others: others), keys = try KeySet(jwks: Array(document))
        var policy = ClaimsPolicy.idToken(issuer: issuer, clientID: "client-1")
        policy.algorithms = [algorithm]
        keys.prepare()
        single = TokenVerifier(keys: keys, policy: policy)
        let hasRouter = algorithm != .hs256 && others == 0
        routed = hasRouter ? try Self.router(to: issuer, keys: String(decoding: document, as: UTF8.self)) : nil
    }

    /// A hundred issuers with the same keys.
    private static func router(to issuer: String, keys document: String) throws -> TrustedIssuers {
        let names = (0..<99).map { "https://idp-\($0).example" } + [issuer]
        let routed = TrustedIssuers(
            names.map {
                let policy = ClaimsPolicy.idToken(issuer: $0, clientID: "client-1")
                var configuration = IssuerConfiguration($0, source: .inline(document), policy: policy)
                configuration.isRequired = true
                return configuration
            }, transport: NoTransport())
        while !routed.isReady { Thread.sleep(forTimeInterval: 0.001) }
        for keys in routed.keySets { try keys.snapshot().prepare() }
        return routed
    }

    func operation(_ token: [UInt8], isRouted: Bool) -> Operation {
        guard isRouted, let routed else { return Lent("hostile", Subject(verifier: single, token: token)) }
        return Routed(routed, token)
    }

    /// The instructions of the failed check of a token of `size` bytes whose only fault is its signature. A token beyond the limit of length
    /// has no check, so the longest within it counts.
    func check(of size: Int) -> Int {
        let size = min(size, TokenLimits.standard.tokenBytes)
        if let known = checks[size] { return known }
        let instructions = countedCheck(of: size)
        checks[size] = instructions
        return instructions
    }

    private func countedCheck(of size: Int) -> Int {
        let forged = HostileToken.forged(size: size, for: target)
        let operation = operation(forged.bytes, isRouted: false)
        let instructions = operation.counts().instructions ?? 1
        precondition(operation.outcome == "signature_invalid", "the failed check ended with \(operation.outcome)")
        return instructions
    }
}

/// Verifies one token by the policy and the keys of the issuer that it names.
final class Routed: Operation {
    private let issuers: TrustedIssuers
    private let token: [UInt8]

    init(_ issuers: TrustedIssuers, _ token: [UInt8]) {
        self.issuers = issuers
        self.token = token
        super.init("routed", expected: "")
    }

    override func run() {
        do throws(VerificationError) {
            try issuers.withVerified(token, now: NumericDate(seconds: Fixtures.now)) { _ in }
            refusal = nil
        } catch {
            refusal = error.code
        }
    }
}

/// Inline keys need no network.
private struct NoTransport: DocumentTransport {
    func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse { throw RequestFailure(.connection) }
}
