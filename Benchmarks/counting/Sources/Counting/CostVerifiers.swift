import Costs
import Fixtures
import Foundation
import JWKSCache
import JWTCore

/// The verifiers that hostile tokens are for: of one issuer, and of a hundred among which the token chooses.
struct CostVerifiers {
    let issuer = "https://idp.example"
    let keyID = "p256-1"
    private let single: TokenVerifier<KeySet>
    private let routed: TrustedIssuers

    init() throws {
        let fixture = try Fixtures.case("ecdsa-signatures", keyID: keyID, "ecdsa-es256-flipped")
        let keys = try KeySet(jwks: Array(fixture.keys)), policy = ClaimsPolicy.idToken(issuer: issuer, clientID: "client-1")
        keys.prepare()
        single = TokenVerifier(keys: keys, policy: policy)
        let document = String(decoding: fixture.keys, as: UTF8.self)
        let names = (0..<99).map { "https://idp-\($0).example" } + [issuer]
        routed = TrustedIssuers(
            names.map {
                let policy = ClaimsPolicy.idToken(issuer: $0, clientID: "client-1")
                var configuration = IssuerConfiguration($0, source: .inline(document), policy: policy)
                configuration.isRequired = true
                return configuration
            }, transport: NoTransport())
        while !routed.isReady { Thread.sleep(forTimeInterval: 0.001) }
        for keys in routed.keySets { try keys.snapshot().prepare() }
    }

    func operation(_ token: [UInt8], isRouted: Bool) -> Operation {
        isRouted ? Routed(routed, token) : Lent("hostile", Subject(verifier: single, token: token))
    }

    /// The instructions of the failed check of a token of `size` bytes whose only fault is its signature. A token beyond the limit of length
    /// has no check, so the longest within it counts.
    func check(of size: Int) -> Int {
        let forged = HostileToken.forged(size: min(size, TokenLimits.standard.tokenBytes), keyID: keyID, issuer: issuer)
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
    func fetch(_ request: DocumentRequest) async throws(TransportFailure) -> DocumentResponse { throw TransportFailure(.connection) }
}
