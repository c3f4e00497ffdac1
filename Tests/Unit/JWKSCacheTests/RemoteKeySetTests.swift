import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Testing

/// A remote key set with its tasks: load, outages, attempts that hang, and files.
struct RemoteKeySetTests {
    private static let url = ObservedKeys.url

    @Test func tenThousandColdRequestsCostOneFetchAndAllAreAnswered() async {
        var policy = RefreshPolicy.availabilityFirst
        policy.waitBudget = .interactive
        let observed = ObservedKeys(policy: policy, loading: .lazy)
        observed.transport.hold()
        observed.transport.answer(Self.url, KeyPool.set(0))
        let verifier = RefreshingVerifier(keys: observed.keys, policy: KeyPool.policy, clock: observed.clock)
        let token = KeyPool.token(0)
        let verified = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 { group.addTask { await verifier.verdict(token) == "valid" } }
            group.addTask {
                let all = await settles { observed.keys.status.waiters == 10_000 }
                observed.transport.release()
                return all
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(verified == 10_001)
        #expect(observed.transport.requests.count == 1)
    }

    @Test func aThousandJunkKeysCostTwoFetchesAndDelayNoRotation() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.clock.advance(by: .seconds(60))
        for junk in 0..<1_000 {
            #expect(["unknown_key", "keys_unavailable"].contains(observed.verdict(KeyPool.token(under: "junk \(junk)"))))
            if junk % 10 == 0 { #expect(await settles { !observed.keys.status.isFetching }) }
            observed.clock.advance(by: .milliseconds(1))
        }
        #expect(observed.transport.requests.count == 3)
        observed.transport.answer(Self.url, KeyPool.set(0, 1))
        #expect(observed.verdict(KeyPool.token(1)) == "unknown_key", "the budget is spent, and the set is young")
        observed.clock.advance(by: .seconds(9))
        #expect(observed.verdict(KeyPool.token(1)) == "keys_unavailable")
        #expect(await settles { !observed.keys.status.isFetching })
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        #expect(observed.transport.requests.last?.isForced == true)
    }

    /// The verification names an unknown key and throws; meanwhile the fetch ends.
    @Test func aFetchThatEndsWhileItsTokenIsRefusedIsNotRepeated() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        #expect(throws: VerificationError(.keysUnavailable)) {
            try observed.keys.withKeys { _ throws(VerificationError) in throw VerificationError(.keysUnavailable) }
        }
        #expect(await settles { !observed.keys.status.isFetching })
        #expect(observed.transport.requests.count == 1)
    }

    @Test func halfAnHourOfOutageLosesNoVerification() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.transport.answer(Self.url, .failure(RequestFailure(.connection)))
        for _ in 0..<360 {
            observed.clock.advance(by: .seconds(5))
            #expect(observed.verdict(KeyPool.token(0)) == "valid")
            await Task.yield()
        }
        #expect(observed.keys.status.health == .stale)
    }

    @Test func recoveryFromAColdOutageWaitsForNoBackoffOnceKeysAreWanted() async {
        let observed = ObservedKeys()
        for _ in 0..<400 {
            #expect(await settles { !observed.keys.status.isFetching })
            observed.clock.advance(by: .seconds(3))
            await Task.yield()
        }
        observed.transport.answer(Self.url, KeyPool.set(0))
        observed.clock.advance(by: .seconds(10))
        _ = observed.verdict(KeyPool.token(0))
        #expect(await settles { observed.verdict(KeyPool.token(0)) == "valid" })
    }

    @Test func aRemovedKeyIsRefusedWithinTheRefreshInterval() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0, 1))
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
        observed.transport.answer(Self.url, KeyPool.set(0))
        observed.clock.advance(by: .seconds(270))
        #expect(await settles { observed.keys.status.keys.count == 1 })
        #expect(["unknown_key", "keys_unavailable"].contains(observed.verdict(KeyPool.token(1))))
        #expect(observed.keys.generation == 2, "a verdict that was kept falls with the key")
    }

    // Attempts

    @Test func anAttemptThatHangsIsGivenUpAndItsLateAnswerNotBelieved() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        observed.transport.hold()
        observed.transport.answer(Self.url, KeyPool.set(2))
        observed.keys.requestRefresh()
        #expect(await settles { observed.transport.requests.count == 2 && observed.clock.sleeperCount > 0 })
        observed.clock.advance(by: .seconds(10))
        #expect(await settles { observed.keys.status.lastFailure == .attemptTimedOut })
        observed.transport.answer(Self.url, KeyPool.set(1))
        observed.clock.advance(by: .seconds(2))
        #expect(await settles { observed.keys.status.isFetching })
        observed.transport.release()
        #expect(await settles { observed.verdict(KeyPool.token(1)) == "valid" })
        for _ in 0..<1_000 { await Task.yield() }
        #expect(observed.verdict(KeyPool.token(1)) == "valid", "the older answer came last and does not count")
    }

    @Test func anAttemptThatIsGivenUpSendsNoFurtherRequest() async {
        let observed = ObservedKeys([.issuer(Discovery.issuer)], loading: .lazy)
        observed.transport.answer(Discovery.openID, .held(ReceivedResponse(status: 404)))
        observed.keys.requestRefresh()
        #expect(await settles { observed.transport.requests.count == 1 && observed.clock.sleeperCount > 0 })
        observed.clock.advance(by: .seconds(10))
        #expect(await settles { observed.keys.status.lastFailure == .attemptTimedOut })
        observed.transport.release()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(observed.transport.requests.map(\.url) == [Discovery.openID])
    }

    @Test func aKeySetThatNobodyHoldsStopsFetching() async {
        struct Weak: Sendable { weak var keys: RemoteKeySet? }
        let clock = ManualClock(), transport = ScriptedTransport()
        transport.answer(Self.url, KeyPool.set(0))
        let dropped: Weak
        do {
            let observed = ObservedKeys(clock: clock, transport: transport)
            dropped = Weak(keys: observed.keys)
            #expect(await settles { observed.keys.isReady && clock.sleeperCount > 0 })
        }
        #expect(await settles { dropped.keys == nil })
        clock.advance(by: .seconds(10_000))
        #expect(await settles { clock.sleeperCount == 0 })
        #expect(transport.requests.count == 1)
    }

    // Waiting for keys

    @Test func readinessIsSeenThoughTooManyWaitForTheFetch() async {
        var policy = RefreshPolicy.availabilityFirst
        policy.waiterLimit = 0
        let transport = ScriptedTransport()
        transport.answer(Self.url, KeyPool.set(0))
        transport.hold()
        let observed = ObservedKeys(policy: policy, transport: transport)
        let ready = Task { [keys = observed.keys] in await keys.ready(within: .seconds(1)) }
        #expect(await settles { transport.requests.count == 1 && observed.clock.sleeperCount == 2 }, "it sleeps, as the refresher does")
        transport.release()
        #expect(await settles { observed.keys.isReady })
        observed.clock.advance(by: .milliseconds(50))
        #expect(await ready.value)
    }

    @Test func readinessByAnotherFetchIsSeenBeforeTheNextScheduledOne() async {
        let observed = ObservedKeys()
        #expect(await settles { observed.keys.status.lastFailure != nil && observed.clock.sleeperCount == 1 })
        let ready = Task { [keys = observed.keys] in await keys.ready(within: .seconds(100)) }
        #expect(await settles { observed.clock.sleeperCount == 2 })
        observed.transport.answer(Self.url, KeyPool.set(0))
        observed.keys.requestRefresh()
        #expect(await settles { observed.keys.isReady })
        observed.clock.advance(by: .milliseconds(50))
        #expect(await ready.value)
    }

    // Files

    @Test func aChangeOfTheFileDuringAFetchIsReadAfterIt() async throws {
        let folder = try TemporaryFolder(), transport = ScriptedTransport()
        transport.answer(Self.url, KeyPool.set(1))
        transport.hold()
        let observed = ObservedKeys([.file(try folder.write("jwks.json", "half of a docu")), .jwks(url: Self.url)], transport: transport)
        #expect(await settles { transport.requests.count == 1 && observed.clock.sleeperCount == 1 })
        _ = try folder.write("jwks.json", KeyPool.set(0))
        observed.clock.advance(by: .seconds(1))
        #expect(await settles { observed.clock.sleeperCount == 1 })
        transport.release()
        #expect(await settles { observed.verdict(KeyPool.token(1)) == "valid" })
        observed.clock.advance(by: .seconds(1))
        #expect(await settles { observed.verdict(KeyPool.token(0)) == "valid" })
    }

    @Test func aFileIsReadAgainWithinASecondOfItsChanging() async throws {
        let folder = try TemporaryFolder()
        let observed = ObservedKeys([.file(try folder.write("jwks.json", KeyPool.set(0)))])
        #expect(await settles { observed.verdict(KeyPool.token(0)) == "valid" })
        _ = try folder.write("jwks.json", KeyPool.set(1))
        for _ in 0..<3 {
            #expect(await settles { observed.clock.sleeperCount > 0 })
            observed.clock.advance(by: .seconds(1))
            for _ in 0..<1_000 { await Task.yield() }
        }
        #expect(await settles { observed.verdict(KeyPool.token(1)) == "valid" })
        let events = observed.log.words
        for _ in 0..<3 {
            observed.clock.advance(by: .seconds(1))
            #expect(await settles { observed.clock.sleeperCount > 0 })
        }
        #expect(observed.log.words == events, "a file that stays the same is not loaded again")
        _ = try folder.write("jwks.json", "half of a docu")
        observed.clock.advance(by: .seconds(1))
        #expect(await settles { observed.keys.status.lastFailure != nil || observed.clock.sleeperCount > 0 })
        #expect(observed.verdict(KeyPool.token(1)) == "valid")
    }
}
