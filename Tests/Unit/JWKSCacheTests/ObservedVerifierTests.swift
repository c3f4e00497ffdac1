#if Metrics
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Logging
import MetricsTestKit
import Synchronization
import Testing

/// What metrics and logs say of verdicts, and what they never say.
struct ObservedVerifierTests {
    /// Keeps the lines of a logger as `level message key=value…`.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

        struct Handler: LogHandler {
            let lines: Lines
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.MetadataValue? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                lines.lines.withLock { $0.append((["\(event.level)", "\(event.message)"] + values).joined(separator: " ")) }
            }
        }
    }

    private static let clock = ManualClock()

    /// A key source that has no keys yet.
    private struct NoKeys: KeySource {
        func withKeys<Result: ~Copyable>(
            _ body: (KeySet) throws(VerificationError) -> Result
        ) throws(VerificationError) -> Result { throw .keysUnavailable }
    }

    private static func verifier(_ counted: TestMetrics, _ lines: Lines) -> ObservedVerifier<TokenVerifier<KeySet>> {
        let verifier = TokenVerifier(keys: KeyPool.forges[0].keySet, policy: KeyPool.policy, clock: clock)
        return ObservedVerifier(verifier, metrics: VerdictMetrics(factory: counted), logger: lines.logger)
    }

    @Test
    func eachVerdictIsCountedUnderItsCode() async throws {
        let counted = TestMetrics()
        let verifier = Self.verifier(counted, Lines())
        #expect(counted.counters.count == VerificationError.Code.all.count + 1)
        _ = try await verifier.verify(KeyPool.token(0))
        _ = try await verifier.verify(Array(KeyPool.token(0).utf8))
        for token in ["junk", "junk", TokenForge(.es256, keyID: "key-0").token()] {
            await #expect(throws: VerificationError.self) { try await verifier.verify(token) }
        }
        for (verdict, count) in [("valid", 2), ("malformed_token", 2), ("signature_invalid", 1), ("expired", 0)] as [(String, Int64)] {
            #expect(try counted.expectCounter("assay_verifications_total", [("verdict", verdict)]).totalValue == count, "\(verdict)")
        }
    }

    @Test
    func aRefusalIsLoggedByItsCodeAndNothingOfTheToken() async throws {
        let lines = Lines()
        let verifier = Self.verifier(TestMetrics(), lines)
        let secret = "eyJhbGciOiJFUzI1NiJ9.c2VjcmV0.c2VjcmV0"
        _ = try await verifier.verify(KeyPool.token(0))
        for token in ["junk", secret] { await #expect(throws: VerificationError.self) { try await verifier.verify(token) } }
        #expect(lines.all.count == 2)
        #expect(lines.all.first?.hasPrefix("info token refused code=malformed_token") == true)
        #expect(!lines.all.contains { $0.contains("c2Vjc") || $0.contains("secret") || $0.contains("junk") })
    }

    @Test
    func keysThatAreMissingAreAWarning() async throws {
        let lines = Lines()
        let verifier = ObservedVerifier(
            TokenVerifier(keys: NoKeys(), policy: KeyPool.policy, clock: Self.clock), metrics: VerdictMetrics(factory: TestMetrics()),
            logger: lines.logger, level: .debug)
        await #expect(throws: VerificationError.keysUnavailable) { try await verifier.verify(KeyPool.token(0)) }
        #expect(lines.all == ["warning token refused code=keys_unavailable"])
    }
}
#endif
