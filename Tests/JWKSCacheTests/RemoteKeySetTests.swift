import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// A remote key set with its tasks, over a clock and a transport that the test holds in its hand.
struct RemoteKeySetTests {
    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private static let url = "https://idp.example/jwks"

    private func keySet(
        _ policy: RefreshPolicy = .availabilityFirst, loading: RemoteKeySet.Loading = .eager,
        observer: (@Sendable (RefreshEvent) -> Void)? = nil
    ) -> RemoteKeySet {
        RemoteKeySet(
            .jwks(url: Self.url), policy: policy, transport: transport, loading: loading, clock: clock, seed: 1, observer: observer)
    }

    private func verdict(_ keys: RemoteKeySet, _ token: String) -> String {
        TokenVerifier(keys: keys, policy: KeyPool.policy, clock: FixedDate()).verdict(token)
    }

    private struct FixedDate: UnixClock {
        var now: NumericDate { TokenForge.now }
    }

    /// A key set that has fetched `document` once.
    private func ready(_ document: String, _ policy: RefreshPolicy = .availabilityFirst) async -> RemoteKeySet {
        transport.answer(Self.url, document)
        let keys = keySet(policy)
        #expect(await settles { keys.isReady && !keys.status.isFetching })
        return keys
    }

    /// Lets the background task do what is due, until `condition`.
    private func pass(_ duration: Duration, _ keys: RemoteKeySet, until condition: @Sendable () -> Bool = { true }) async {
        #expect(await settles { clock.sleeperCount > 0 })
        clock.advance(by: duration)
        #expect(await settles { condition() && !keys.status.isFetching })
    }

    // Acceptance

    @Test func tenThousandColdRequestsCostOneFetchAndAllAreAnswered() async {
        transport.hold()
        transport.answer(Self.url, KeyPool.set(0))
        var policy = RefreshPolicy.availabilityFirst
        policy.waitBudget = .interactive
        let keys = keySet(policy, loading: .lazy)
        let verifier = RefreshingVerifier(keys: keys, policy: KeyPool.policy, clock: FixedDate())
        let token = KeyPool.token(0)
        let verified = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 { group.addTask { (try? await verifier.verify(token)) != nil } }
            group.addTask {
                let all = await settles { keys.status.waiters == 10_000 }
                transport.release()
                return all
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(verified == 10_001)
        #expect(transport.requests.count == 1)
    }

    @Test func aThousandJunkKeysInASecondCostTwoFetchesAndARotationIsAdoptedWithinTen() async {
        let keys = await ready(KeyPool.set(0))
        clock.advance(by: .seconds(60))
        let before = transport.requests.count
        for junk in 0..<1_000 {
            #expect(["unknown_key", "keys_unavailable"].contains(verdict(keys, KeyPool.token(under: "junk \(junk)"))))
            if junk % 10 == 0 { #expect(await settles { !keys.status.isFetching }) }
            clock.advance(by: .milliseconds(1))
        }
        #expect(transport.requests.count - before == 2)
        transport.answer(Self.url, KeyPool.set(0, 1))
        #expect(verdict(keys, KeyPool.token(1)) == "unknown_key", "the budget is spent, and the set is young")
        clock.advance(by: .seconds(9))
        #expect(verdict(keys, KeyPool.token(1)) == "keys_unavailable")
        #expect(await settles { !keys.status.isFetching })
        #expect(verdict(keys, KeyPool.token(1)) == "valid")
        #expect(transport.requests.last?.isForced == true)
    }

    @Test func halfAnHourOfOutageLosesNoVerification() async {
        let keys = await ready(KeyPool.set(0))
        transport.answer(Self.url, .failure(FetchFailure(.connection)))
        for _ in 0..<360 {
            clock.advance(by: .seconds(5))
            #expect(verdict(keys, KeyPool.token(0)) == "valid")
            await Task.yield()
        }
        #expect(keys.status.health == .stale)
        #expect((keys.status.believedFor ?? .zero) > .zero)
    }

    @Test func withoutStaleIfErrorAnOutageIsToldApartFromAForgery() async {
        let keys = await ready(KeyPool.set(0), .revocationFirst)
        transport.answer(Self.url, .failure(FetchFailure(.connection)))
        clock.advance(by: .seconds(299))
        #expect(verdict(keys, KeyPool.token(0)) == "valid")
        clock.advance(by: .seconds(1))
        #expect(verdict(keys, KeyPool.token(0)) == "keys_unavailable")
        #expect(!keys.isReady)
        #expect(keys.generation == nil)
    }

    @Test func aRemovedKeyIsRefusedWithinTheRefreshInterval() async {
        let keys = await ready(KeyPool.set(0, 1))
        let generation = keys.generation
        #expect(verdict(keys, KeyPool.token(1)) == "valid")
        transport.answer(Self.url, KeyPool.set(0))
        await pass(.seconds(270), keys) { keys.status.keys.count == 1 }
        #expect(["unknown_key", "keys_unavailable"].contains(verdict(keys, KeyPool.token(1))))
        #expect(keys.generation != generation, "a verdict that was kept falls with the key")
    }

    @Test(arguments: [RefreshPolicy.WaitBudget.gateway, .custom(.milliseconds(40)), .none])
    func aSourceThatHangsHoldsNobodyLongerThanTheBudget(_ budget: RefreshPolicy.WaitBudget) async {
        transport.answer(Self.url, .hang)
        var policy = RefreshPolicy.availabilityFirst
        policy.waitBudget = budget
        let keys = keySet(policy)
        let verifier = RefreshingVerifier(keys: keys, policy: KeyPool.policy, clock: FixedDate())
        #expect(await settles { keys.status.isFetching })
        let waiting = Task { () async -> String in
            do throws(VerificationError) { _ = try await verifier.verify(KeyPool.token(0)) } catch { return error.code.name }
            return "valid"
        }
        if budget.duration > .zero {
            #expect(await settles { keys.status.waiters == 1 })
            #expect(await settles { clock.nextDeadline == budget.duration })
            clock.advance(by: budget.duration)
        }
        #expect(await waiting.value == "keys_unavailable")
        #expect(keys.status.waiters == 0)
        transport.release()
    }

    // Fetching

    @Test func anUnchangedSetKeepsItsGenerationWhateverItsETagSays() async {
        let keys = await ready(KeyPool.set(0, 1))
        let before = try? keys.snapshot()
        transport.answer(Self.url, KeyPool.set(1, 0), fields: [("ETag", "\"2\"")])
        #expect(await keys.refresh())
        #expect(keys.generation == 1)
        #expect((try? keys.snapshot()) === before)
        transport.answer(Self.url, status: 304)
        #expect(await keys.refresh())
        #expect(transport.requests.last?.entityTag == "\"2\"")
        #expect(keys.generation == 1)
    }

    @Test func aNotModifiedWithoutAQuestionIsRefused() async {
        let keys = await ready(KeyPool.set(0))
        transport.answer(Self.url, status: 304)
        #expect(await !keys.refresh())
        #expect(keys.status.lastFailure == .unexpectedNotModified)
        #expect(verdict(keys, KeyPool.token(0)) == "valid")
    }

    @Test func anAttemptThatHangsIsGivenUpAndItsLateAnswerNotBelieved() async {
        let keys = await ready(KeyPool.set(0))
        transport.hold()
        transport.answer(Self.url, KeyPool.set(2))
        keys.requestRefresh()
        let requests = transport.requests.count
        #expect(await settles { transport.requests.count == requests || keys.status.isFetching })
        #expect(await settles { clock.sleeperCount > 0 })
        clock.advance(by: .seconds(10))
        #expect(await settles { keys.status.lastFailure == .attemptTimedOut })
        transport.answer(Self.url, KeyPool.set(1))
        clock.advance(by: .seconds(2))
        #expect(await settles { keys.status.isFetching })
        transport.release()
        #expect(await settles { !keys.status.isFetching })
        #expect(await settles { verdict(keys, KeyPool.token(1)) == "valid" })
        for _ in 0..<1_000 { await Task.yield() }
        #expect(verdict(keys, KeyPool.token(1)) == "valid", "the older answer came last and does not count")
    }

    @Test func everyTransitionIsTold() async {
        let told = Locked<[String]>([])
        transport.answer(Self.url, KeyPool.set(0))
        let keys = keySet { event in told.withLock { $0.append("\(event.kind)".prefix { $0 != "(" && $0 != " " }.description) } }
        #expect(await settles { keys.isReady && !keys.status.isFetching })
        transport.answer(Self.url, .failure(FetchFailure(.tls)))
        await keys.refresh()
        clock.advance(by: .seconds(3_900))
        #expect(verdict(keys, KeyPool.token(0)) == "keys_unavailable")
        #expect(await settles { told.withLock { $0.contains("expired") } })
        #expect(told.withLock { $0.prefix(4) } == ["fetchStarted", "installed", "fetchStarted", "fetchFailed"])
    }

    @Test func nothingIsFetchedBeforeItIsWantedWhereLoadingIsLazy() async {
        transport.answer(Self.url, KeyPool.set(0))
        let keys = keySet(loading: .lazy)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(transport.requests.isEmpty)
        #expect(verdict(keys, KeyPool.token(0)) == "keys_unavailable")
        #expect(await settles { verdict(keys, KeyPool.token(0)) == "valid" })
        #expect(transport.requests.count == 1)
    }

    @Test func readinessWaitsForKeys() async {
        transport.hold()
        transport.answer(Self.url, KeyPool.set(0))
        let keys = keySet()
        #expect(!keys.isReady)
        async let isReady = keys.ready(within: .seconds(60))
        #expect(await settles { keys.status.waiters == 1 })
        transport.release()
        #expect(await isReady)
    }

    @Test func recoveryFromAColdOutageWaitsForNoBackoffOnceKeysAreWanted() async {
        transport.answer(Self.url, .failure(FetchFailure(.connection)))
        let keys = keySet()
        for _ in 0..<400 {
            #expect(await settles { !keys.status.isFetching })
            clock.advance(by: .seconds(3))
            await Task.yield()
        }
        transport.answer(Self.url, KeyPool.set(0))
        clock.advance(by: .seconds(10))
        _ = verdict(keys, KeyPool.token(0))
        #expect(await settles { verdict(keys, KeyPool.token(0)) == "valid" })
    }

    @Test func aKeySetThatNobodyHoldsStopsFetching() async {
        transport.answer(Self.url, KeyPool.set(0))
        struct Weak: Sendable { weak var keys: RemoteKeySet? }
        let dropped: Weak
        do {
            let keys = keySet()
            dropped = Weak(keys: keys)
            #expect(await settles { keys.isReady && clock.sleeperCount > 0 })
        }
        #expect(await settles { dropped.keys == nil })
        clock.advance(by: .seconds(10_000))
        #expect(await settles { clock.sleeperCount == 0 })
        #expect(transport.requests.count == 1)
    }

    // Files

    @Test func aFileIsReadAgainWithinASecondOfItsChanging() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("jwks.json", KeyPool.set(0))
        let keys = RemoteKeySet(.file(path), transport: transport, clock: clock, seed: 1)
        #expect(await settles { verdict(keys, KeyPool.token(0)) == "valid" })
        _ = try folder.write("jwks.json", KeyPool.set(1))
        for _ in 0..<3 {
            #expect(await settles { clock.sleeperCount > 0 })
            clock.advance(by: .seconds(1))
            for _ in 0..<1_000 { await Task.yield() }
        }
        #expect(await settles { verdict(keys, KeyPool.token(1)) == "valid" })
        _ = try folder.write("jwks.json", "half of a docu")
        clock.advance(by: .seconds(1))
        #expect(await settles { keys.status.lastFailure != nil || clock.sleeperCount > 0 })
        #expect(verdict(keys, KeyPool.token(1)) == "valid")
    }
}
