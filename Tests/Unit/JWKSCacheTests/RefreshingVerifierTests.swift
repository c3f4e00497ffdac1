import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Tokens that wait for keys: the reasons, the time and the number.
@Suite(.timeLimit(.minutes(10)))
struct RefreshingVerifierTests {
    @Test
    func aTokenOfANewKeyWaitsForTheOneFetchThatBringsIt() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        let verifier = Self.verifier(observed)
        #expect(await verifier.verdict(KeyPool.token(0)) == "valid")
        observed.transport.answer(ObservedKeys.url, KeyPool.set(0, 1))
        #expect(await verifier.verdict(KeyPool.token(1)) == "valid")
        #expect(observed.transport.requests.map(\.isForced) == [false, true])
        #expect(await verifier.verdict(KeyPool.token(0)) == "valid")
        #expect(observed.transport.requests.count == 2)
    }

    @Test
    func rotationAfterRotationLosesNoToken() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        let verifier = Self.verifier(observed)
        for round in 1...200 {
            observed.clock.advance(by: .seconds(11))
            observed.transport.answer(ObservedKeys.url, KeyPool.set(round % 8))
            #expect(await verifier.verdict(KeyPool.token(round % 8)) == "valid", "rotation \(round)")
        }
    }

    @Test
    func aKeyIDThatNobodyHasIsUnknownAfterOneFetch() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        let verifier = Self.verifier(observed)
        for _ in 0..<10 { #expect(await verifier.verdict(KeyPool.token(under: "junk")) == "unknown_key") }
        #expect(observed.transport.requests.count == 2)
        for number in 0..<100 { #expect(await verifier.verdict(KeyPool.token(under: "junk-\(number)")) == "unknown_key") }
        #expect(observed.transport.requests.count == 3)
    }

    @Test
    func theFirstTokenOfAColdSetWaitsForIt() async {
        let transport = ScriptedTransport()
        transport.answer(ObservedKeys.url, KeyPool.set(0))
        let observed = ObservedKeys(loading: .lazy, transport: transport)
        #expect(transport.requests.isEmpty)
        #expect(await Self.verifier(observed).verdict(KeyPool.token(0)) == "valid")
        #expect(transport.requests.count == 1)
    }

    @Test
    func aDeadSourceIsToldOfWhenTheFetchHasFailed() async {
        let observed = ObservedKeys(loading: .lazy)
        let verifier = Self.verifier(observed)
        #expect(await verifier.verdict(KeyPool.token(0)) == "keys_unavailable")
        #expect(observed.transport.requests.count <= 3)
    }

    @Test
    func whatIsWrongWithATokenIsToldWithoutWaiting() async {
        let observed = await ObservedKeys.loaded(KeyPool.set(0))
        let verifier = Self.verifier(observed)
        #expect(await verifier.verdict("a.b") == "malformed_token")
        #expect(await verifier.verdict(TokenForge(.es256, keyID: "key-0").token()) == "signature_invalid")
        #expect(await verifier.verdict(KeyPool.token(0), now: 1_800_000_000) == "expired")
        #expect(observed.transport.requests.count == 1)
    }

    // Waiting time

    @Test(
        arguments: [
            (.gateway, .milliseconds(150)), (.interactive, .seconds(5)), (.custom(.milliseconds(700)), .milliseconds(700)),
        ] as [(RefreshPolicy.WaitBudget, Duration)])
    func aTokenWaitsAsLongAsThePolicySays(budget: RefreshPolicy.WaitBudget, length: Duration) async {
        let (observed, verifier) = await Self.waiting(budget)
        // However long the program has run.
        observed.clock.advance(by: .seconds(100))
        async let verdict = verifier.verdict(KeyPool.token(under: "new"))
        let end = observed.clock.elapsed + length
        #expect(await settles { observed.keys.status.waiters == 1 && observed.clock.nextDeadline.map { $0 <= end } ?? false })
        observed.clock.advance(by: length - .milliseconds(1))
        for _ in 0..<100 { await Task.yield() }
        #expect(observed.keys.status.waiters == 1)
        observed.clock.advance(by: .milliseconds(1))
        #expect(await verdict == "keys_unavailable")
        #expect(observed.keys.status.waiters == 0)
        #expect(observed.keys.status.isFetching)
        observed.transport.release()
    }

    @Test
    func withoutABudgetNothingWaits() async {
        let (observed, verifier) = await Self.waiting(.none)
        #expect(await verifier.verdict(KeyPool.token(under: "new")) == "keys_unavailable")
        #expect(observed.keys.status.isFetching)
        observed.transport.release()
    }

    @Test
    func whoeverIsCancelledWaitsNoLonger() async {
        let (observed, verifier) = await Self.waiting(.interactive)
        let task = Task { await verifier.verdict(KeyPool.token(under: "new")) }
        #expect(await settles { observed.keys.status.waiters == 1 })
        task.cancel()
        #expect(await task.value == "keys_unavailable")
        #expect(observed.keys.status.waiters == 0)
        // A task that was cancelled before does not start to wait.
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await verifier.verdict(KeyPool.token(under: "new"))
        }
        late.cancel()
        #expect(await late.value == "keys_unavailable")
        observed.transport.release()
    }

    // Number of waiters

    @Test
    func whoeverWaitsWaitsForTheSameFetch() async {
        let (observed, verifier) = await Self.waiting(.gateway)
        observed.transport.answer(ObservedKeys.url, KeyPool.set(0, 1))
        let tasks = (0..<200).map { _ in Task { await verifier.verdict(KeyPool.token(1)) } }
        #expect(await settles { observed.keys.status.waiters == 200 })
        observed.transport.release()
        for task in tasks { #expect(await task.value == "valid") }
        #expect(observed.transport.requests.count == 2)
        // No timer is left: only the refresher sleeps.
        #expect(await settles { observed.clock.sleeperCount == 1 })
    }

    @Test
    func noMoreTokensWaitThanThePolicyAllows() async {
        let (observed, verifier) = await Self.waiting(.gateway, waiters: 3)
        observed.transport.answer(ObservedKeys.url, KeyPool.set(0, 1))
        let tasks = (0..<3).map { _ in Task { await verifier.verdict(KeyPool.token(1)) } }
        #expect(await settles { observed.keys.status.waiters == 3 })
        #expect(await verifier.verdict(KeyPool.token(1)) == "keys_unavailable")
        observed.transport.release()
        for task in tasks { #expect(await task.value == "valid") }
    }

    // Many issuers

    @Test
    func tokensOfManyIssuersWaitForTheirOwn() async {
        let federation = Federation()
        federation.publish(0, KeyPool.set(0))
        federation.publish(1, KeyPool.set(1))
        let verifier = RefreshingVerifier(federation.trusting([Federation.configuration(0), Federation.configuration(1)]))
        #expect(await verifier.verdict(Federation.token(0, of: 0)) == "valid")
        #expect(federation.requests(1) == 0)
        federation.publish(0, KeyPool.set(2))
        #expect(await verifier.verdict(Federation.token(2, of: 0)) == "valid")
        #expect(await verifier.verdict(Federation.token(1, of: 1)) == "valid")
        #expect(await verifier.verdict(Federation.token(0, of: 1)) == "unknown_key")
        #expect(await verifier.verdict(Federation.token(0, of: 2)) == "issuer_mismatch")
        #expect(await verifier.verdict("junk") == "malformed_token")
        #expect((0..<2).map(federation.requests) == [2, 2])
    }

    @Test
    func tokensOfATenantWaitForItsKeys() async throws {
        let federation = Federation()
        let template = try #require(
            IssuerTemplate("https://login.example/{tenant}", policy: ClaimsPolicy(issuer: "", audience: "client-1")))
        let issuer = "https://login.example/t"
        federation.publish(tenant: issuer, KeyPool.set(0))
        let verifier = RefreshingVerifier(federation.trusting([], templates: [template]))
        #expect(await verifier.verdict(Federation.token(0, issuer)) == "valid")
    }

    // Helpers

    private static func verifier(_ observed: ObservedKeys) -> RefreshingVerifier {
        RefreshingVerifier(keys: observed.keys, policy: KeyPool.policy, clock: observed.clock)
    }

    /// A verifier whose keys' next fetch does not end before the test releases it.
    private static func waiting(_ budget: RefreshPolicy.WaitBudget, waiters: Int = 16_384) async -> (ObservedKeys, RefreshingVerifier) {
        var policy = RefreshPolicy()
        policy.waitBudget = budget
        policy.waiterLimit = waiters
        let observed = await ObservedKeys.loaded(KeyPool.set(0), policy: policy)
        _ = await settles { observed.clock.sleeperCount == 1 }
        observed.transport.hold()
        return (observed, verifier(observed))
    }
}

extension RefreshingVerifier {
    func verdict(_ token: String, now: NumericDate = TokenForge.now) async -> String {
        do throws(VerificationError) {
            _ = try await verify(token, now: now)
            return "valid"
        } catch {
            return error.code.name
        }
    }
}
