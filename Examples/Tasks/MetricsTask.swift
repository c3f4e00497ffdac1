// Verdicts and fetches in logs and metrics, by code: no token, no claim and no key id.

#if Metrics && HTTPServer
import AssayTesting
import JWKSCache
import JWTCore
import Logging
import Metrics
import MetricsTestKit
import Testing

struct ObservedVerifier {
    let verifier: RefreshingVerifier, logger: Logger, factory: any MetricsFactory

    func verify(_ text: String) async throws(VerificationError) -> VerifiedToken {
        do throws(VerificationError) {
            let token = try await verifier.verify(text)
            Counter(label: "tokens_total", dimensions: [("verdict", "valid")], factory: factory).increment()
            return token
        } catch {
            Counter(label: "tokens_total", dimensions: [("verdict", error.code.name)], factory: factory).increment()
            logger.notice("token refused", metadata: ["code": "\(error.code.name)", "offset": "\(error.offset ?? -1)"])
            throw error
        }
    }
}

@Suite struct MetricsTask {
    @Test func verdictsAndFetchesAreCounted() async throws {
        let issuer = try TestIssuer(), counted = TestMetrics()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let fetches = RefreshMetrics(factory: counted)
        let keys = RemoteKeySet(
            .issuer(issuer.identifier), transport: issuer, clock: ManualClock(), observer: fetches.observe)
        let policy = ClaimsPolicy.idToken(issuer: issuer.identifier, clientID: "client-1")
        let verifier = ObservedVerifier(verifier: RefreshingVerifier(keys: keys, policy: policy), logger: logger, factory: counted)
        _ = try await verifier.verify(issuer.idToken())
        let other = try issuer.idToken(["aud": "another"])
        await #expect(throws: VerificationError.self) { try await verifier.verify(other) }
        #expect(try counted.expectCounter("tokens_total", [("verdict", "valid")]).totalValue == 1)
        #expect(try counted.expectCounter("tokens_total", [("verdict", "audience_mismatch")]).totalValue == 1)
        #expect(try counted.expectCounter("assay_jwks_installations_total", [("source", issuer.identifier)]).totalValue == 1)
    }
}
#endif
