import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// An issuer whose keys are no longer at the address in its metadata, or whose metadata asks for a pause.
struct MovedKeysTests {
    private static let openID = Discovery.openID, oauth = Discovery.oauth
    private static let old = Discovery.keys, new = "https://keys.example/jwks"

    /// A response of an address.
    struct Cause: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedTransport.Answer

        init(status: Int) {
            testDescription = "\(status)"
            answer = .response(ReceivedResponse(status: status))
        }

        init(document: String) {
            testDescription = document
            answer = .response(ReceivedResponse(status: 200, body: Array(document.utf8)))
        }

        init(_ reason: RequestFailure.Reason) {
            testDescription = reason.rawValue
            answer = .failure(RequestFailure(reason))
        }
    }

    private static let statuses = [302, 400, 401, 403, 404, 410, 429, 500, 502, 503].map { Cause(status: $0) }
    private static let silences = RequestFailure.Reason.allCases.filter { $0 != .cancelled }.map { Cause($0) }
    private static let documents = ["", "<html>", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"XYZ\"}]}"].map { Cause(document: $0) }

    @Test(arguments: statuses + silences + documents)
    func keysThatHaveMovedAreFoundInTheSameFetch(cause: Cause) async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, cause.answer)
        move(observed)
        #expect(await observed.refresh() == ["started: request", "installed"])
        let requests = observed.transport.requests.dropFirst(2)
        #expect(requests.map(\.url) == [Self.old, Self.openID, Self.new])
        #expect(requests.map(\.isForced) == [true, true, true])
        // An entity tag belongs to its address.
        #expect(requests.map(\.entityTag) == ["\"1\"", nil, nil])
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        await observed.refresh()
        #expect(observed.transport.requests.last?.url == Self.new)
        #expect(observed.transport.requests.count == 6)
    }

    @Test
    func aScheduledFetchFindsMovedKeys() async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, status: 403)
        move(observed)
        observed.clock.advance(by: .seconds(290))
        #expect(await settles { observed.log.words.count == 4 })
        #expect(observed.log.words.last == "installed")
        // A cached copy of the metadata is not accepted.
        #expect(observed.transport.requests.dropFirst(2).map(\.isForced) == [false, true, false])
    }

    @Test(arguments: [Cause(document: KeyPool.set(0)), Cause(status: 304)])
    func anUnknownKeyHasTheMetadataReadAgain(cause: Cause) async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, cause.answer)
        move(observed)
        #expect(observed.verdict(KeyPool.token(1)) == "keys_unavailable")
        #expect(await settles { observed.log.words.count == 4 })
        #expect(observed.log.words.suffix(2) == ["started: probe", "installed"])
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old, Self.openID, Self.new])
    }

    @Test
    func aThousandUnknownKeysCostTwoFetchesAndTheMetadataOnce() async {
        let observed = await Discovery.loaded()
        for junk in 0..<1_000 {
            _ = observed.verdict(KeyPool.token(under: "junk \(junk)"))
            if junk % 10 == 0 { #expect(await settles { !observed.keys.status.isFetching }) }
            observed.clock.advance(by: .milliseconds(1))
        }
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old, Self.openID, Self.old])
        // After ten seconds the metadata may have changed.
        observed.clock.advance(by: .seconds(10))
        _ = observed.verdict(KeyPool.token(under: "junk"))
        #expect(await settles { observed.transport.requests.count == 7 })
        #expect(observed.transport.requests.dropFirst(5).map(\.url) == [Self.old, Self.openID])
    }

    /// An issuer that publishes each new key at a new address, every two seconds.
    @Test
    func aRotationToAnotherAddressSpendsNothing() async {
        let observed = await Discovery.loaded()
        for number in 1...7 {
            let url = "https://keys.example/\(number)"
            observed.transport.answer(Self.openID, Discovery.metadata(keys: url))
            observed.transport.answer(url, KeyPool.set(number))
            #expect(observed.verdict(KeyPool.token(number)) == "keys_unavailable")
            #expect(await settles { !observed.keys.status.isFetching })
            #expect(observed.verdict(KeyPool.token(number)) == "valid", "rotation \(number)")
            observed.clock.advance(by: .seconds(2))
        }
    }

    @Test
    func anAddressThatFailsHasTheMetadataReadOnceInTenSeconds() async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, status: 500)
        for _ in 0..<10 {
            await observed.refresh()
            observed.clock.advance(by: .milliseconds(900))
        }
        #expect(observed.transport.requests.dropFirst(2).count { $0.url == Self.openID } == 1)
    }

    @Test
    func anUnknownKeyIsAnsweredThoughTheMetadataFails() async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.openID, status: 500)
        #expect(observed.verdict(KeyPool.token(1)) == "keys_unavailable")
        #expect(await settles { observed.log.words.count == 4 })
        #expect(observed.log.words.last == "confirmed")
        #expect(observed.verdict(KeyPool.token(1)) == "unknown_key")
    }

    // Not moved

    @Test
    func keysThatWereThereAgainAreNotSearchedAtTheNextPause() async {
        let observed = await Discovery.loaded()
        for _ in 0..<2 {
            observed.transport.answer(Self.old, status: 503, fields: [HeaderField("Retry-After", "1")])
            await observed.refresh()
            observed.transport.answer(Self.old, KeyPool.set(0))
            await observed.refresh()
        }
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old, Self.old, Self.old, Self.old])
    }

    @Test(arguments: statuses + silences + documents)
    func anAddressThatFailsAndHasNotMovedIsAskedOnce(cause: Cause) async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, cause.answer)
        #expect(await observed.refresh().last?.hasPrefix("failed: ") == true)
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old, Self.openID])
        #expect(observed.verdict(KeyPool.token(0)) == "valid")
    }

    @Test
    func aFailureOfTheMetadataDoesNotHideThatOfTheKeys() async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, status: 403)
        observed.transport.answer(Self.openID, status: 500)
        await observed.refresh()
        #expect(observed.keys.status.lastFailure == .status(403))
        // The known result of the keys' address stays valid.
        observed.transport.answer(Self.old, KeyPool.set(1))
        #expect(await observed.refresh().last == "installed")
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old, Self.openID, Self.old])
    }

    @Test
    func aFetchTakesNoMoreThanFourRequests() async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, status: 403)
        observed.transport.answer(Self.openID, status: 404)
        observed.transport.answer(Self.oauth, Discovery.metadata(keys: Self.new))
        observed.transport.answer(Self.new, status: 403)
        #expect(await observed.refresh().last == "failed: status")
        let requests = observed.transport.requests.dropFirst(2)
        #expect(requests.map(\.url) == [Self.old, Self.openID, Self.oauth, Self.new])
        #expect(requests.count == IssuerFetch.requestLimit)
    }

    // Pauses

    @Test(arguments: [429, 503])
    func keysThatAskForAPauseGetIt(status: Int) async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, status: status, fields: [HeaderField("Retry-After", "120")])
        move(observed)
        #expect(await observed.refresh().last == "failed: status")
        #expect(observed.keys.status.nextFetchIn >= .seconds(120))
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old])
        // A source that asks for a pause again and again may be the wrong one.
        #expect(await observed.refresh().last == "installed")
        #expect(observed.transport.requests.dropFirst(3).map(\.url) == [Self.old, Self.openID, Self.new])
    }

    @Test(arguments: [400, 403, 429, 503])
    func metadataThatAsksForAPauseGetsIt(status: Int) async {
        let transport = ScriptedTransport()
        transport.answer(Self.openID, status: status, fields: [HeaderField("Retry-After", "120")])
        transport.answer(Self.oauth, Discovery.metadata(keys: Self.old))
        let observed = ObservedKeys([.issuer(Discovery.issuer)], transport: transport)
        #expect(await settles { observed.log.words.count == 2 })
        #expect(transport.requests.map(\.url) == [Self.openID])
        #expect(observed.keys.status.nextFetchIn == .seconds(120))
    }

    @Test
    func metadataOfFailingKeysThatAsksForAPauseGetsIt() async {
        let observed = await Discovery.loaded()
        observed.transport.answer(Self.old, .failure(RequestFailure(.connection)))
        observed.transport.answer(Self.openID, status: 429, fields: [HeaderField("Retry-After", "120")])
        await observed.refresh()
        #expect(observed.transport.requests.dropFirst(2).map(\.url) == [Self.old, Self.openID])
        #expect(observed.keys.status.lastFailure?.code == "fetch_connection")
        #expect(observed.keys.status.nextFetchIn == .seconds(120))
        await observed.refresh()
        #expect(observed.transport.requests.dropFirst(4).map(\.url) == [Self.old])
        observed.clock.advance(by: .seconds(10))
        #expect(await settles { observed.transport.requests.count == 7 })
        #expect(observed.transport.requests.dropFirst(5).map(\.url) == [Self.old, Self.openID])
    }

    private func move(_ observed: ObservedKeys) {
        observed.transport.answer(Self.openID, Discovery.metadata(keys: Self.new))
        observed.transport.answer(Self.new, KeyPool.set(0, 1))
    }
}
