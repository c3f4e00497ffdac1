import Gateway
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Testing

/// Revocations that are added one by one, beside the list.
struct SignalledRevocationTests {
    private static let claims = "\"sub\":\"u1\",\"jti\":\"t1\",\"sid\":\"s1\""
    private static let issuer = "https://a.example"

    private static func verdict(_ revocations: Revocations, _ claims: String = claims) async throws -> String {
        try await Scene(Scene.configuration(), revocations: revocations).verdict(Scene.bearer(Scene.token("a", claims)))
    }

    @Test(arguments: [false, true])
    func anEntryAppliesAtOnceAlsoToRememberedTokens(hasCache: Bool) async throws {
        let scene = try await Scene(Scene.configuration(), cache: hasCache ? VerifiedTokenCache(budget: 1 << 20) : nil)
        let request = Scene.bearer(Scene.token("a", Self.claims))
        for _ in 0..<3 { #expect(scene.verdict(request) == "allowed") }
        #expect(scene.core.revocations.add([.init(issuer: Self.issuer, .sessionID("s1"))]))
        #expect(scene.verdict(request) == "401 revoked")
    }

    @Test
    func aReplacedListLeavesWhatWasAdded() async throws {
        let revocations = Revocations(RevocationList([.init(.tokenID("t1"))]))
        revocations.add([.init(.sessionID("s1"))])
        revocations.replace(RevocationList())
        #expect(revocations.list.entries.isEmpty)
        #expect(revocations.signalled == [.init(.sessionID("s1"))])
        #expect(try await Self.verdict(revocations) == "401 revoked")
        #expect(try await Self.verdict(revocations, "\"jti\":\"t1\"") == "allowed")
    }

    @Test
    func anEntryThatComesAgainGetsTheLaterDates() {
        let revocations = Revocations()
        revocations.add([.init(until: 100, .sessionID("s1")), .init(until: 200, .subjectBefore("u1", 50)), .init(.issuedBefore(7))])
        revocations.add([
            .init(until: 90, .sessionID("s1")), .init(until: 150, .subjectBefore("u1", 60)), .init(until: 10, .issuedBefore(5)),
        ])
        #expect(
            Set(revocations.signalled) == [
                .init(until: 100, .sessionID("s1")), .init(until: 200, .subjectBefore("u1", 60)), .init(.issuedBefore(7)),
            ])
        revocations.add([.init(until: 120, .sessionID("s1"))])
        revocations.removeExpired(at: 110)
        #expect(revocations.signalled.contains(.init(until: 120, .sessionID("s1"))))
        revocations.add([.init(.sessionID("s1"))])
        revocations.removeExpired(at: 1_000_000)
        #expect(Set(revocations.signalled) == [.init(.sessionID("s1")), .init(.issuedBefore(7))])
    }

    @Test
    func oneNameInSeveralKindsAndIssuersIsSeveralEntries() {
        let revocations = Revocations()
        let subjects: [RevocationList.Subject] = [
            .subject("x"), .subjectBefore("x", 5), .tokenID("x"), .sessionID("x"), .keyID("x"), .issuedBefore(5),
        ]
        let issuers: [String?] = [nil, "", "https://a.example", "https://b.example"]
        let entries = issuers.flatMap { issuer in subjects.map { RevocationList.Entry(issuer: issuer, $0) } }
        revocations.add(entries)
        revocations.add(entries)
        #expect(revocations.signalled == entries)
        #expect(revocations.signalledCount == 24)
    }

    @Test
    func anEntryEndsAfterItsDate() async throws {
        let listed = RevocationList([.init(until: 100, .tokenID("t1")), .init(until: 99, .tokenID("t2"))])
        let revocations = Revocations(listed)
        revocations.add([.init(until: 100, .sessionID("s1")), .init(until: 99, .keyID("k")), .init(.subject("u9"))])
        revocations.removeExpired(at: 100)
        #expect(revocations.signalled == [.init(until: 100, .sessionID("s1")), .init(.subject("u9"))])
        #expect(revocations.list.entries == [.init(until: 100, .tokenID("t1"))])
        #expect(try await Self.verdict(revocations) == "401 revoked")
        revocations.removeExpired(at: 101)
        #expect(revocations.signalled == [.init(.subject("u9"))])
        #expect(revocations.list.entries.isEmpty)
        // With the last entry about a key also a token without a key's name is good again.
        #expect(try await Self.verdict(revocations) == "allowed")
    }

    @Test
    func beyondTheLimitAnEntryIsNotTakenAndTheCallerLearnsIt() {
        let revocations = Revocations(limit: 2)
        #expect(revocations.add([.init(.tokenID("1")), .init(.tokenID("2"))]))
        #expect(revocations.add([.init(.tokenID("1"))]))
        #expect(!revocations.add([.init(.tokenID("3")), .init(until: 9, .tokenID("2"))]))
        #expect(revocations.signalled == [.init(.tokenID("1")), .init(.tokenID("2"))])
    }

    @Test(arguments: [1, 1_000, 100_000])
    func aHundredThousandEntriesAreCopiedLessThanTwiceEach(atOnce: Int) async throws {
        let revocations = Revocations(), all = 100_000
        for start in stride(from: 0, to: all, by: atOnce) {
            let entries = (start..<start + atOnce).map {
                RevocationList.Entry(issuer: Self.issuer, until: 2_000_000_000, .sessionID("session-\($0)"))
            }
            revocations.add(entries)
        }
        #expect(revocations.signalledCount == all)
        #expect(revocations.copies < 2 * all)
        #expect(revocations.bytes < 32 << 20)
        for (name, verdict) in [("session-0", "401 revoked"), ("session-99999", "401 revoked"), ("session-100000", "allowed")] {
            #expect(try await Self.verdict(revocations, "\"sid\":\"\(name)\"") == verdict)
        }
    }

    /// An entry whose date changes leaves its old record behind.
    @Test
    func anEntryThatComesAThousandTimesTakesNoMoreRoom() {
        let revocations = Revocations()
        for date in 1...20_000 { revocations.add([.init(.subjectBefore("u1", NumericDate(seconds: Int64(date))))]) }
        #expect(revocations.signalled == [.init(.subjectBefore("u1", 20_000))])
        #expect(revocations.copies < 20_000)
    }

    @Test
    func entriesAreAddedWhileTokensAreJudged() async throws {
        let scene = try await Scene(Scene.configuration()), core = scene.core
        let first = Scene.bearer(Scene.token("a", "\"sid\":\"0\"")), other = Scene.bearer(Scene.token("a", "\"sid\":\"none\""))
        core.revocations.add([.init(issuer: Self.issuer, until: 1_000, .sessionID("0"))])
        let verdicts = Guarded<Set<String>>([])
        onThreads(4) { thread in
            for round in 0..<2_000 {
                if thread == 0 {
                    let end = NumericDate(seconds: Int64(round))
                    core.revocations.add([.init(issuer: Self.issuer, until: end, .sessionID("\(round)"))])
                    if round.isMultiple(of: 500) { core.revocations.removeExpired(at: min(900, end)) }
                } else {
                    let words = [core.decideNow(first, now: Scene.now).word, core.decideNow(other, now: Scene.now).word]
                    verdicts.withLock { _ = $0.insert(words.joined(separator: ", ")) }
                }
            }
        }
        #expect(verdicts.withLock { $0 } == ["401 revoked, allowed"])
    }

    @Test(arguments: [
        (#"{"sub":"u1","issuedBefore":5,"until":9}"#, RevocationList.Entry(until: 9, .subjectBefore("u1", 5))),
        (#"{"issuer":"https://a.example","sid":"s1","until":9}"#, .init(issuer: "https://a.example", until: 9, .sessionID("s1"))),
        (#"{"issuedBefore":5}"#, .init(.issuedBefore(5))),
    ])
    func aListHasTheSameEntries(json: String, entry: RevocationList.Entry) throws {
        let list = try RevocationList(json: Array("{\"revocations\":[\(json)]}".utf8).span)
        #expect(list.entries == [entry])
    }

    @Test(arguments: [
        #"{"sub":"u1","issuedBefore":5,"jti":"t"}"#, #"{"sid":"s","issuedBefore":5}"#, #"{"sub":"u1","until":-1}"#, #"{"until":9}"#,
        #"{"sub":"u1","until":"9"}"#, #"{"sub":"u1","issuedBefore":"x"}"#,
    ])
    func anotherEntryIsAFault(json: String) {
        #expect(throws: SettingsFailure.self) { try RevocationList(json: Array("{\"revocations\":[\(json)]}".utf8).span) }
    }
}
