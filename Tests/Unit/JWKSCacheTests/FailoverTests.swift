import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Several sources of one key set: the order of requests, the accepted set and the reported failures.
struct FailoverTests {
    private static let first = "https://idp.example/jwks", second = "https://mirror.example/jwks"

    @Test(arguments: [
        MovedKeysTests.Cause(.connection), .init(status: 503), .init(status: 304), .init(document: "<html></html>"),
        .init(document: "{\"keys\":[]}"),
    ])
    func theSecondIsUsedWhereTheFirstFails(cause: MovedKeysTests.Cause) async {
        let observed = Self.observed()
        observed.transport.answer(Self.first, cause.answer)
        observed.transport.answer(Self.second, KeyPool.set(0))
        #expect(await observed.refresh().last == "installed")
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        #expect(observed.transport.requests.map(\.url) == [Self.first, Self.second])
        #expect(observed.keys.status.failures == 0)
    }

    @Test
    func theFirstIsUsedAgainWhenItRecovers() async {
        let observed = Self.observed()
        observed.transport.answer(Self.second, KeyPool.set(0))
        await observed.refresh()
        observed.transport.answer(Self.first, KeyPool.set(1))
        #expect(await observed.refresh().last == "installed")
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        #expect(observed.transport.requests.map(\.url) == [Self.first, Self.second, Self.first])
    }

    @Test
    func ofSeveralFailuresTheFirstSourcesIsTold() async {
        let observed = Self.observed([.jwks(url: Self.first), .jwks(url: Self.second), .file("/nonexistent")])
        observed.transport.answer(Self.first, status: 503, fields: [HeaderField("Retry-After", "120")])
        observed.transport.answer(Self.second, "<html></html>")
        #expect(await observed.refresh().last == "failed: status")
        #expect(observed.keys.status.lastFailure == .status(503))
        #expect(observed.keys.status.nextFetchIn >= .seconds(120))
    }

    // Validators

    @Test
    func anEntityTagGoesToTheAddressItIsFrom() async {
        let observed = Self.observed()
        observed.transport.answer(
            Self.first, KeyPool.set(0),
            fields: [HeaderField("ETag", "\"first\""), HeaderField("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")])
        await observed.refresh()
        observed.transport.answer(Self.first, status: 503)
        observed.transport.answer(Self.second, KeyPool.set(0), fields: [HeaderField("ETag", "\"second\"")])
        await observed.refresh()
        await observed.refresh()
        let requests = observed.transport.requests
        #expect(requests.map(\.url) == [Self.first, Self.first, Self.second, Self.first, Self.second])
        #expect(requests.map(\.entityTag) == [nil, "\"first\"", nil, nil, "\"second\""])
        #expect(requests.map(\.lastModified) == [nil, "Sun, 06 Nov 1994 08:49:37 GMT", nil, nil, nil])
    }

    @Test
    func aDocumentThatIsNotBelievedLeavesNoEntityTag() async {
        let observed = Self.observed([.jwks(url: Self.first)])
        observed.transport.answer(Self.first, KeyPool.set(0), fields: [HeaderField("ETag", "\"good\"")])
        await observed.refresh()
        observed.transport.answer(Self.first, "{\"keys\":[]}", fields: [HeaderField("ETag", "\"bad\"")])
        await observed.refresh()
        observed.transport.answer(Self.first, status: 304)
        #expect(await observed.refresh().last == "confirmed")
        #expect(observed.transport.requests.map(\.entityTag) == [nil, "\"good\"", "\"good\""])
    }

    @Test
    func aHeldSetLeavesNoEntityTag() async {
        var policy = RefreshPolicy()
        policy.maximumChurn = 0.5
        let observed = Self.observed([.jwks(url: Self.first)], policy)
        observed.transport.answer(Self.first, KeyPool.set(0), fields: [HeaderField("ETag", "\"old\"")])
        await observed.refresh()
        observed.transport.answer(Self.first, KeyPool.set(1), fields: [HeaderField("ETag", "\"new\"")])
        #expect(await observed.refresh().last == "failed: held")
        #expect(await observed.refresh().last == "installed")
        await observed.refresh()
        #expect(observed.transport.requests.map(\.entityTag) == [nil, "\"old\"", "\"old\"", "\"new\""])
    }

    @Test
    func withoutKeysNothingIsConditional() async {
        let observed = Self.observed([.jwks(url: Self.first)], .revocationFirst)
        observed.transport.answer(Self.first, KeyPool.set(0), fields: [HeaderField("ETag", "\"1\"")])
        await observed.refresh()
        observed.transport.answer(Self.first, status: 503)
        observed.clock.advance(by: .seconds(300))
        #expect(await settles { observed.log.words.contains("expired") && !observed.keys.status.isFetching })
        observed.clock.advance(by: .seconds(300))
        #expect(await settles { observed.transport.requests.count >= 3 })
        #expect(observed.transport.requests.last?.isConditional == false)
    }

    // Stored sets

    @Test
    func aDocumentOfTheProgramsHelpsOutWhileThereAreNoKeys() async {
        let observed = Self.observed([.jwks(url: Self.first), .inline(KeyPool.set(0))])
        #expect(await observed.refresh().last == "installed")
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
        observed.transport.answer(Self.first, KeyPool.set(1))
        #expect(await observed.refresh().last == "installed")
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        // It never replaces what the issuer published later.
        observed.transport.answer(Self.first, status: 503)
        #expect(await observed.refresh().last == "failed: status")
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
    }

    @Test
    func anIssuersStandInHasAnAddressOfItsOwn() async {
        let observed = Self.observed([.issuer("https://idp.example"), .jwks(url: Self.second)])
        observed.transport.answer(Self.second, KeyPool.set(0))
        #expect(await observed.refresh().last == "installed")
        #expect(observed.transport.requests.map(\.url) == ["https://idp.example/.well-known/openid-configuration", Self.second])
    }

    private static func observed(
        _ sources: [KeySetSource] = [.jwks(url: first), .jwks(url: second)], _ policy: RefreshPolicy = .availabilityFirst
    ) -> ObservedKeys {
        ObservedKeys(sources, policy: policy, loading: .lazy)
    }
}
