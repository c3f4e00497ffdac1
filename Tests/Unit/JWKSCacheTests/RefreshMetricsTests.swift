#if Metrics
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Metrics
import MetricsTestKit
import Testing

/// The counters, their names, and the values that never become labels.
struct RefreshMetricsTests {
    private static let source = "https://idp.example/jwks"

    @Test(
        arguments: [
            (.fetchStarted(cause: "probe"), "fetches", ("cause", "probe")),
            (.fetchFailed(.status(503), retryIn: .seconds(1)), "fetch_failures", ("reason", "status")),
            (.fetchFailed(.fetch(RequestFailure(.tls, "x")), retryIn: .zero), "fetch_failures", ("reason", "fetch_tls")),
            (.confirmed, "confirmations", nil), (.overtaken, "overtaken", nil), (.restored(age: .seconds(1)), "restorations", nil),
            (.storedSetRefused("it is too old"), "stored_sets_refused", nil), (.expired, "expirations", nil),
            (.alarm(.keyReplaced(keyID: "secret-name")), "alarms", ("kind", "key_replaced")),
            (.alarm(.clockSkew(.seconds(31))), "alarms", ("kind", "clock_skew")),
        ] as [(RefreshEvent.Kind, String, (String, String)?)])
    func eachEventIsCountedUnderItsName(kind: RefreshEvent.Kind, name: String, label: (String, String)?) throws {
        let counted = TestMetrics()
        let metrics = RefreshMetrics(factory: counted)
        for _ in 0..<3 { metrics.observe(RefreshEvent(source: Self.source, kind: kind)) }
        #expect(counted.counters.count == 1)
        let labels = [("source", Self.source)] + (label.map { [$0] } ?? [])
        #expect(try counted.expectCounter("assay_jwks_\(name)_total", labels).totalValue == 3)
    }

    @Test
    func aKeySetsLifeIsCounted() async throws {
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1))
        await observed.refresh(KeyPool.set(1, 2))
        await observed.refresh(KeyPool.set(1, 2))
        await observed.refresh("{\"keys\":[]}")
        let counted = TestMetrics()
        let metrics = RefreshMetrics(factory: counted)
        observed.log.all.forEach(metrics.observe)
        let source = ("source", Self.source)
        #expect(try counted.expectCounter("assay_jwks_fetches_total", [source, ("cause", "request")]).totalValue == 3)
        #expect(try counted.expectCounter("assay_jwks_installations_total", [source]).totalValue == 2)
        #expect(try counted.expectCounter("assay_jwks_confirmations_total", [source]).totalValue == 1)
        #expect(try counted.expectCounter("assay_jwks_fetch_failures_total", [source, ("reason", "no_usable_key")]).totalValue == 1)
        #expect(try counted.expectGauge("assay_jwks_generation", [source]).lastValue == 2)
    }

    @Test
    func aLookAtAKeySetSetsTheGauges() async throws {
        let observed = await ObservedKeys.loaded(
            KeyPool.document([KeyPool.forges[0].jwk, "{}"]),
            fields: [HeaderField("Date", "Tue, 14 Nov 2023 22:15:10 GMT"), HeaderField("Cache-Control", "max-age=600")])
        observed.clock.advance(by: .seconds(10))
        let counted = TestMetrics()
        RefreshMetrics(factory: counted).record(observed.keys.status)
        let expected: [String: Double] = [
            "keys": 1, "age_seconds": 10, "believed_seconds": 4_190, "clock_skew_seconds": 10, "shed_probes": 0, "consecutive_failures": 0,
        ]
        #expect(counted.recorders.count == expected.count)
        for (name, value) in expected {
            #expect(try counted.expectGauge("assay_jwks_\(name)", [("source", Self.source)]).lastValue == value, "\(name)")
        }
    }

    @Test
    func withoutKeysTheGaugesSayNothing() throws {
        let counted = TestMetrics()
        RefreshMetrics(factory: counted).record(ObservedKeys(loading: .lazy).keys.status)
        for name in ["keys", "age_seconds", "believed_seconds"] {
            #expect(try counted.expectGauge("assay_jwks_\(name)", [("source", Self.source)]).lastValue == 0)
        }
    }

    @Test
    func keyIDsAreNeverLabels() async {
        let twin = TokenForge(.es256, keyID: "key-0"), shared = TokenForge(.hs256, keyID: "key-7")
        let observed = await ObservedKeys.loaded(KeyPool.document([KeyPool.forges[0].jwk, twin.jwk, shared.jwk]))
        await observed.refresh(KeyPool.document([TokenForge(.es256, keyID: "key-0").jwk]))
        for number in 0..<20 { _ = observed.verdict(KeyPool.token(under: "key-junk-\(number)")) }
        let counted = TestMetrics()
        let metrics = RefreshMetrics(factory: counted)
        observed.log.all.forEach(metrics.observe)
        metrics.record(observed.keys.status)
        let labels = counted.counters.flatMap(\.dimensions) + counted.recorders.flatMap(\.dimensions)
        #expect(observed.log.words.contains("alarm: duplicate_key_id") && observed.log.words.contains("alarm: key_replaced"))
        #expect(labels.count > 10)
        #expect(!labels.contains { $0.1.contains("key-") })
        #expect(Set(labels.map(\.0)).isSubset(of: ["source", "cause", "reason", "kind"]))
    }
}
#endif
