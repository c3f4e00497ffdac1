import Gateway
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// How long answers about tokens count, and how many requests are made.
struct IntrospectionCacheTests {
    private static let active = IntrospectionScene.active()

    @Test func aThousandRequestsAtOnceCauseOneQuestion() async throws {
        let test = try await IntrospectionScene()
        test.scene.transport.hold()
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<1_000 { group.addTask { await test.verdict() } }
            let core = test.scene.core
            #expect(await settles { core.introspections.first?.status.waiters == 1_000 })
            test.scene.transport.release()
            for await verdict in group { #expect(verdict == "allowed") }
        }
        #expect(test.questions.count == 1 && test.status?.waiters == 0 && test.status?.underWay == 0)
    }

    @Test func withoutWaitingATokenIsRefusedWhileItsQuestionIsUnderWay() async throws {
        let test = try await IntrospectionScene()
        #expect(test.verdictNow() == "503 introspection_unavailable")
        let core = test.scene.core
        #expect(await settles { core.introspections.first?.status.underWay == 0 })
        #expect(test.verdictNow() == "allowed" && test.questions.count == 1)
    }

    /// Each row: seconds until `exp`, seconds that an answer counts by the terms, and the first whole second with a new question.
    @Test(arguments: [(3_600, 30, 30), (10, 30, 10), (10, 5, 5), (90, 3_600, 90)])
    func anAnswerCountsUntilItsTimeAndNeverBeyondExp(rest: Int, lifetime: Int, end: Int) async throws {
        let test = try await IntrospectionScene(
            answering: IntrospectionScene.active(exp: 1_700_000_100 + rest), terms: { $0.activeLifetime = .seconds(lifetime) })
        #expect(await test.verdict() == "allowed")
        test.scene.clock.advance(by: .seconds(end) - .milliseconds(1))
        #expect(await test.verdict() == "allowed" && test.questions.count == 1)
        test.answer(IntrospectionScene.inactive)
        test.scene.clock.advance(by: .milliseconds(1))
        #expect(await test.verdict() == "401 inactive_token" && test.questions.count == 2)
    }

    @Test func anInactiveTokenIsAskedAboutAgainAfterItsTime() async throws {
        let test = try await IntrospectionScene(answering: IntrospectionScene.inactive, terms: { $0.inactiveLifetime = .seconds(7) })
        #expect(await test.verdict() == "401 inactive_token")
        test.answer(Self.active)
        test.scene.clock.advance(by: .milliseconds(6_999))
        #expect(await test.verdict() == "401 inactive_token" && test.questions.count == 1)
        test.scene.clock.advance(by: .milliseconds(1))
        #expect(await test.verdict() == "allowed" && test.questions.count == 2)
    }

    @Test func answersAboutOneTokenSayNothingOfAnother() async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict("one") == "allowed")
        test.answer(IntrospectionScene.inactive)
        #expect(await test.verdict("One") == "401 inactive_token")
        #expect(await test.verdict("one") == "allowed" && test.questions.count == 2)
    }

    // Outages

    @Test func inAnOutageATokenIsRefusedUnlessTheTermsSayOtherwise() async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict() == "allowed")
        test.scene.transport.answer(IntrospectionScene.endpoint, status: 500)
        test.scene.clock.advance(by: .seconds(30))
        #expect(await test.verdict() == "503 introspection_unavailable")
    }

    /// Each row: what the endpoint does, seconds until `exp`, the staleness in seconds, and until when an old answer counts.
    @Test(arguments: [(500, 3_600, 60, 90), (429, 3_600, 60, 90), (401, 3_600, 60, 90), (0, 3_600, 60, 90), (500, 50, 60, 50)])
    func anOldAnswerCountsForABoundedTimeAndNeverBeyondExp(status: Int, rest: Int, stale: Int, end: Int) async throws {
        let test = try await IntrospectionScene(
            answering: IntrospectionScene.active(exp: 1_700_000_100 + rest), terms: { $0.staleIfError = .seconds(stale) })
        #expect(await test.verdict() == "allowed")
        let failure = ScriptedTransport.Answer.failure(RequestFailure(.timedOut))
        test.scene.transport.answer(
            IntrospectionScene.endpoint, status == 0 ? failure : .response(ReceivedResponse(status: status)))
        test.scene.clock.advance(by: .seconds(30))
        for _ in 0..<3 { #expect(await test.verdict() == "allowed") }
        // Its question is repeated after a second, and not for each request.
        #expect(test.questions.count == 2)
        test.scene.clock.advance(by: .seconds(end - 30) - .milliseconds(1))
        #expect(await test.verdict() == "allowed" && test.questions.count == 3)
        test.scene.clock.advance(by: .seconds(2))
        #expect(await test.verdict() == "503 introspection_unavailable")
        // A token of which nothing is known gains nothing.
        #expect(await test.verdict("unknown") == "503 introspection_unavailable")
    }

    @Test(arguments: ["{", #"{"active":1}"#, IntrospectionScene.inactive])
    func anAnswerThatIsRefusedIsNoOutage(answer: String) async throws {
        let test = try await IntrospectionScene(terms: { $0.staleIfError = .seconds(3_600) })
        #expect(await test.verdict() == "allowed")
        test.answer(answer)
        test.scene.clock.advance(by: .seconds(30))
        #expect(await test.verdict() != "allowed")
        // Cutting the line afterwards gains no time.
        test.scene.transport.answer(IntrospectionScene.endpoint, status: 500)
        test.scene.clock.advance(by: .seconds(30))
        #expect(await test.verdict() == "503 introspection_unavailable")
    }

    @Test func aQuestionThatFailedIsRepeatedAfterASecond() async throws {
        let test = try await IntrospectionScene(answering: nil)
        for _ in 0..<5 { #expect(await test.verdict() == "503 introspection_unavailable") }
        #expect(test.questions.count == 1)
        test.answer(Self.active)
        test.scene.clock.advance(by: .seconds(1))
        #expect(await test.verdict() == "allowed" && test.questions.count == 2)
    }

    /// Each row: a status, whether its `Retry-After` counts, its value, and the seconds until the next question.
    @Test(arguments: [(429, "5", 5), (503, "7", 7), (429, "3600", 30), (500, "5", 1), (429, "-1", 1), (429, "soon", 1)])
    func anEndpointIsLeftAloneIfItAsksForThat(status: Int, value: String, seconds: Int) async throws {
        let test = try await IntrospectionScene(answering: nil)
        test.scene.transport.answer(IntrospectionScene.endpoint, status: status, fields: [HeaderField("Retry-After", value)])
        #expect(await test.verdict("first") == "503 introspection_unavailable")
        test.answer(Self.active)
        let isPaused = seconds > 1
        #expect(await test.verdict("second") == (isPaused ? "503 introspection_unavailable" : "allowed"))
        test.scene.clock.advance(by: .seconds(seconds))
        #expect(await test.verdict("first") == "allowed")
    }

    // Limits

    @Test func unknownTokensCauseABoundedNumberOfQuestions() async throws {
        let test = try await IntrospectionScene(terms: {
            $0.requestsPerSecond = 3
            $0.activeLifetime = .seconds(10)
        })
        #expect(await test.verdict("known") == "allowed")
        var verdicts: [String] = []
        for place in 0..<10 { verdicts.append(await test.verdict("junk-\(place)")) }
        #expect(verdicts.filter { $0 == "allowed" }.count == 2 && verdicts.filter { $0 == "503 introspection_unavailable" }.count == 8)
        #expect(test.questions.count == 3 && test.status?.shed == 8)
        // A token that was active before has a budget of its own.
        test.scene.clock.advance(by: .milliseconds(9_999))
        for place in 10..<20 { _ = await test.verdict("junk-\(place)") }
        test.scene.clock.advance(by: .milliseconds(1))
        #expect(await test.verdict("junk-20") == "503 introspection_unavailable")
        #expect(await test.verdict("known") == "allowed")
    }

    @Test func anOutageTakesNoTokensBudgetAway() async throws {
        let test = try await IntrospectionScene(terms: { $0.requestsPerSecond = 1 })
        #expect(await test.verdict("known") == "allowed")
        test.scene.transport.answer(IntrospectionScene.endpoint, status: 500)
        test.scene.clock.advance(by: .seconds(30))
        #expect(await test.verdict("known") == "503 introspection_unavailable")
        test.answer(Self.active)
        test.scene.clock.advance(by: .seconds(1))
        #expect(await test.verdict("junk") == "allowed")
        #expect(await test.verdict("junk-2") == "503 introspection_unavailable")
        #expect(await test.verdict("known") == "allowed")
    }

    @Test func questionsAtOnceAreBounded() async throws {
        let test = try await IntrospectionScene(terms: { $0.requestsPerSecond = 1_000 })
        test.scene.transport.hold()
        for place in 0..<100 { #expect(test.verdictNow("token-\(place)") == "503 introspection_unavailable") }
        #expect(test.status?.underWay == 64 && test.status?.shed == 36)
        test.scene.transport.release()
        let core = test.scene.core
        #expect(await settles { core.introspections.first?.status.underWay == 0 })
        #expect(test.questions.count == 64)
    }

    @Test func theNumberOfAnswersIsBounded() async throws {
        let test = try await IntrospectionScene(terms: {
            $0.maximumTokens = 10
            $0.requestsPerSecond = 1_000
        })
        #expect(await test.verdict("good") == "allowed")
        test.answer(IntrospectionScene.inactive)
        for place in 0..<50 {
            #expect(await test.verdict("junk-\(place)") == "401 inactive_token")
            // One that is active and used does not give way.
            #expect(test.verdictNow("good") == "allowed")
        }
        #expect(test.status?.tokens == 10 && test.questions.count == 51)
    }

    @Test func amongActiveTokensTheOldestThatIsNotUsedGivesWay() async throws {
        let test = try await IntrospectionScene(terms: {
            $0.maximumTokens = 3
            $0.requestsPerSecond = 1_000
        })
        for place in 0..<20 { #expect(await test.verdict("token-\(place)") == "allowed") }
        #expect(test.status?.tokens == 3 && test.questions.count == 20)
        for place in 17..<20 { #expect(test.verdictNow("token-\(place)") == "allowed") }
    }

    @Test func theBytesOfAnswersAreBounded() async throws {
        let long = IntrospectionScene.active(#","x":"\#(String(repeating: "x", count: 4_000))""#)
        let test = try await IntrospectionScene(
            answering: long,
            terms: {
                $0.maximumBytes = 20_000
                $0.requestsPerSecond = 1_000
            })
        for place in 0..<20 { #expect(await test.verdict("token-\(place)") == "allowed") }
        let status = try #require(test.status)
        #expect(status.bytes <= 20_000 && status.tokens == 4)
        #expect(test.verdictNow("token-19") == "allowed")
    }

    // Reloads

    @Test func aNewConfigurationKeepsAnswersWhoseTermsAreTheSame() async throws {
        let test = try await IntrospectionScene()
        #expect(await test.verdict() == "allowed")
        var configuration = test.scene.core.configuration
        configuration.providers[0].issuer.policy.audiences = ["other"]
        let same = try test.scene.core.replacing(configuration)
        #expect(same.introspections.first === test.scene.core.introspections.first)
        // The answer is kept, and the new policy judges it.
        #expect(same.decideNow(Scene.bearer(IntrospectionScene.opaque)).word == "401 audience_mismatch")
        configuration.providers[0].introspection?.activeLifetime = .seconds(1)
        let other = try test.scene.core.replacing(configuration)
        #expect(other.introspections.first !== test.scene.core.introspections.first)
    }

    @Test func requestsAreCountedByResult() async throws {
        let test = try await IntrospectionScene()
        _ = await test.verdict("one")
        test.answer(IntrospectionScene.inactive)
        for token in ["two", "three"] { _ = await test.verdict(token) }
        test.answer("{")
        _ = await test.verdict("four")
        #expect(test.status?.results == ["active": 1, "inactive": 2, "invalid_json": 1] && test.status?.lastFailure == "invalid_json")
        #expect(test.status?.tokens == 4)
    }
}
