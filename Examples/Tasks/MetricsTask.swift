// Verdicts and fetches in logs and metrics, by code: no token, no claim and no key id.

#if Metrics
import AssayTesting
import JWKSCache
import JWTCore
import Logging
import Metrics
import MetricsTestKit
import Testing

func observed(_ keys: RemoteKeySet, _ policy: ClaimsPolicy, factory: any MetricsFactory, logger: Logger) -> any TokenVerifying {
    let verifier = RefreshingVerifier(keys: keys, policy: policy)
    return ObservedVerifier(verifier, metrics: VerdictMetrics(factory: factory), logger: logger)
}

@Suite struct MetricsTask {
    @Test func verdictsAndFetchesAreCounted() async throws {
        let issuer = try TestIssuer(), counted = TestMetrics()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let fetches = RefreshMetrics(factory: counted)
        let keys = RemoteKeySet(
            .issuer(issuer.identifier), transport: issuer, clock: ManualClock(), observer: fetches.observe)
        let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
        let verifier = observed(keys, policy, factory: counted, logger: logger)
        _ = try await verifier.verify(issuer.idToken())
        let other = try issuer.idToken(["aud": "another"])
        await #expect(throws: VerificationError.self) { try await verifier.verify(other) }
        #expect(try counted.expectCounter("assay_verifications_total", [("verdict", "valid")]).totalValue == 1)
        #expect(try counted.expectCounter("assay_verifications_total", [("verdict", "audience_mismatch")]).totalValue == 1)
        #expect(try counted.expectCounter("assay_jwks_installations_total", [("source", issuer.identifier)]).totalValue == 1)
    }
}
#endif
