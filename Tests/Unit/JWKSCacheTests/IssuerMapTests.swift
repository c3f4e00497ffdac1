import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Testing

/// An issuer map that changes while it is used, and its memory limits.
struct IssuerMapTests {
    private let federation = Federation()

    init() { for number in 0..<3 { federation.publish(number, KeyPool.set(number)) } }

    /// Loads the keys of issuers `numbers`, two seconds apart.
    private func load(_ numbers: [Int], of issuers: TrustedIssuers) async {
        for number in numbers {
            #expect(await federation.loading(issuers, Federation.token(number, of: number)) == "valid")
            federation.clock.advance(by: .seconds(2))
        }
    }

    // Memory

    /// Room for two documents of one key.
    private static let twoDocuments = {
        var limits = TrustedIssuers.Limits()
        limits.documentBytes = KeyPool.set(0).utf8.count * 2 + 20
        return limits
    }()

    private func bounded() -> TrustedIssuers {
        federation.trusting((0..<3).map { Federation.configuration($0) }, limits: Self.twoDocuments)
    }

    @Test
    func beyondTheLimitTheLeastRecentlyUsedGoAndComeBackWhenWanted() async {
        let issuers = bounded()
        await load([0, 1], of: issuers)
        // After another use it is no longer the least recently used one.
        #expect(issuers.verdict(Federation.token(0, of: 0)) == "valid")
        federation.clock.advance(by: .seconds(2))
        #expect(await federation.loading(issuers, Federation.token(2, of: 2)) == "valid")
        #expect(await settles { issuers.keySets.map(\.isReady) == [true, false, true] })
        #expect(issuers.keySets.map(\.status.keys.count) == [1, 0, 1])

        federation.clock.advance(by: .seconds(2))
        #expect(await federation.loading(issuers, Federation.token(1, of: 1)) == "valid")
        #expect(await settles { issuers.keySets.map(\.isReady) == [false, true, true] })
        #expect((0..<3).map(federation.requests) == [1, 2, 1])
    }

    @Test
    func requiredIssuersStay() async {
        var limits = TrustedIssuers.Limits()
        limits.documentBytes = 0
        let issuers = federation.trusting((0..<3).map { Federation.configuration($0, isRequired: $0 != 2) }, limits: limits)
        #expect(await settles { federation.log.ends == 2 })
        #expect(await federation.loading(issuers, Federation.token(2, of: 2)) == "keys_unavailable")
        #expect(issuers.keySets.map(\.isReady) == [true, true, false])
    }

    @Test
    func whatWasSpentOfTheProbesStaysSpent() async {
        let issuers = bounded()
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        for name in ["junk-1", "junk-2"] {
            let junk = KeyPool.forges[0].token(
                header: "{\"alg\":\"ES256\",\"kid\":\"\(name)\"}", payload: Federation.payload(Federation.name(0)))
            #expect(await federation.loading(issuers, junk) == "unknown_key")
        }
        federation.clock.advance(by: .seconds(2))
        await load([1, 2], of: issuers)
        #expect(await settles { !issuers.keySets[0].isReady })
        #expect(federation.requests(0) == 3)
        #expect(issuers.verdict(Federation.token(0, of: 0)) == "keys_unavailable")
        #expect(issuers.keySets[0].status.isFetching == false)
        #expect(issuers.keySets[0].status.shedProbes == 1)
        federation.clock.advance(by: .seconds(6))
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(federation.requests(0) == 4)
    }

    /// The result of a fetch in progress is ignored after its keys were dropped.
    @Test
    func aFetchUnderWayDoesNotBringDroppedKeysBack() async {
        let issuers = bounded()
        await load([0, 1], of: issuers)
        let response = ReceivedResponse(status: 200, body: Array(KeyPool.set(0).utf8))
        federation.transport.answer("\(Federation.name(0))/jwks", .held(response))
        issuers.keySets[0].requestRefresh()
        #expect(await settles { federation.requests(0) == 2 })
        federation.publish(0, KeyPool.set(0))
        #expect(issuers.verdict(Federation.token(1, of: 1)) == "valid")
        let ends = federation.log.ends
        #expect(issuers.verdict(Federation.token(2, of: 2)) == "keys_unavailable")
        #expect(await settles { federation.log.ends == ends + 1 && !issuers.keySets[0].isReady })
        #expect(issuers.keySets[0].status.isFetching == false)
        federation.transport.release()
        #expect(await settles { federation.log.words.contains("overtaken") })
        #expect(!issuers.keySets[0].isReady)
        federation.clock.advance(by: .seconds(4_000))
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
    }

    // Replacing the map

    @Test
    func whatHasNotChangedKeepsItsKeysAndWhatHasIsSoAtOnce() async {
        let old = federation.trusting((0..<2).map { Federation.configuration($0) })
        await load([0, 1], of: old)

        var stricter = Federation.configuration(1)
        stricter.policy.audiences = ["client-2"]
        let new = old.replacing([Federation.configuration(2), stricter, Federation.configuration(0)])
        #expect(new.verdict(Federation.token(0, of: 0)) == "valid")
        #expect(new.verdict(Federation.token(1, of: 1)) == "audience_mismatch")
        #expect(new.keySets[2] === old.keySets[0])
        #expect(new.keySets[1] === old.keySets[1])
        #expect(await federation.loading(new, Federation.token(2, of: 2)) == "valid")
        #expect((0..<3).map(federation.requests) == [1, 1, 1])

        let last = new.replacing([Federation.configuration(1)])
        #expect(last.verdict(Federation.token(0, of: 0)) == "issuer_mismatch")
        #expect(last.verdict(Federation.token(1, of: 1)) == "valid")
        // Holders of the old map can still use it.
        #expect(old.verdict(Federation.token(0, of: 0)) == "valid")
    }

    /// Each is another source of keys, or another way to store them.
    @Test(arguments: ["url", "kind", "failover", "storage", "secret", "required", "refresh", "transport", "inline"])
    func otherKeysAreFetchedAnew(change: String) {
        var before = Federation.configuration(0)
        before.storage = KeySetStorage(path: "/nonexistent/keys")
        var after = before
        switch change {
        case "url": after.source = .jwks(url: "https://other.example/jwks")
        case "kind": after.source = .spiffeBundle(url: "\(Federation.name(0))/jwks")
        case "failover": after.failover = [.inline(KeyPool.set(0))]
        case "storage": after.storage = nil
        case "secret": after.storage = KeySetStorage(path: "/nonexistent/keys", secret: Array(repeating: 1, count: 32))
        case "required": after.isRequired = true
        case "refresh": after.refresh = .revocationFirst
        case "transport": after.transport = IssuerTransport(federation.transport)
        default:
            before.source = .inline(KeyPool.set(0))
            after.source = .inline(KeyPool.set(1))
        }
        let old = federation.trusting([before])
        #expect(old.replacing([before]).keySets[0] === old.keySets[0])
        #expect(old.replacing([after]).keySets[0] !== old.keySets[0])
    }

    @Test
    func anIssuerIsFetchedByItsOwnTransport() async {
        let own = ScriptedTransport(), next = ScriptedTransport()
        var first = Federation.configuration(0)
        let transport = IssuerTransport(own)
        first.transport = transport
        own.answer("\(Federation.name(0))/jwks", KeyPool.set(0))
        next.answer("\(Federation.name(0))/jwks", KeyPool.set(0, 2))
        federation.publish(1, KeyPool.set(1))
        let issuers = federation.trusting([first, Federation.configuration(1)])
        #expect(await federation.loading(issuers, Federation.token(0, of: 0)) == "valid")
        #expect(await federation.loading(issuers, Federation.token(1, of: 1)) == "valid")
        #expect((0..<2).map(federation.requests) == [0, 1] && own.requests.count == 1)

        // The same keys, fetched in another way.
        transport.replace(by: next)
        #expect(issuers.replacing([first]).keySets[0] === issuers.keySets[0])
        #expect(await federation.loading(issuers, Federation.token(2, of: 0)) == "valid")
        #expect(own.requests.count == 1 && next.requests.count == 1)
    }
}
