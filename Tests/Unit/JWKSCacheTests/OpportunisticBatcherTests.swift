import JWKSCache
import JWTCore
import JWTSigning
import JWTTestSupport
import Locks
import Testing

struct OpportunisticBatcherTests {
    private static let forge = TokenForge(.es256)

    private static func batcher(workers: Int, widest: Int = 8) -> OpportunisticBatcher<KeySet> {
        let keys = forge.keySet
        keys.prepare()
        return OpportunisticBatcher(
            TokenVerifier(keys: keys, policy: .lenient, clock: StandingClock()), workers: workers, widest: widest)
    }

    private static func verdict(_ batcher: OpportunisticBatcher<KeySet>, _ token: String) async -> String {
        do throws(VerificationError) {
            return try await batcher.verify(token).subject ?? ""
        } catch {
            return error.code.name
        }
    }

    @Test
    func aTokenThatIsAloneIsVerifiedAlone() async {
        let batcher = Self.batcher(workers: 2)
        for _ in 0..<20 { #expect(await Self.verdict(batcher, Self.forge.token()) == "248289761001") }
        #expect(batcher.widths == [1: 20])
    }

    @Test(arguments: [1, 2, 4])
    func eachOfManyTokensGetsItsOwnVerdict(workers: Int) async {
        let batcher = Self.batcher(workers: workers)
        let cases = (0..<400).map { place in
            let token = Self.forge.token(TokenForge.idToken.replacing("248289761001", with: "subject-\(place)"))
            return place % 5 == 0 ? (String(token.dropLast(8)) + "AAAAAAAA", "signature_invalid") : (token, "subject-\(place)")
        }
        let verdicts = await withTaskGroup(of: (Int, String).self) { group in
            for (place, (token, _)) in cases.enumerated() { group.addTask { (place, await Self.verdict(batcher, token)) } }
            return await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        for (place, (_, expected)) in cases.enumerated() { #expect(verdicts[place] == expected) }
        #expect(batcher.widths.map { $0.key * $0.value }.reduce(0, +) == 400)
        #expect(batcher.widths.keys.max() ?? 0 <= 8)
    }

    @Test
    func aTokenThatIsTooLongDoesNotWaitWithTheOthers() async {
        let batcher = Self.batcher(workers: 1)
        #expect(await Self.verdict(batcher, String(repeating: "A", count: 1 << 20)) == "token_too_large")
        #expect(batcher.widths.isEmpty)
    }

    @Test
    func itsTasksRunWhereTheServerWantsThem() async {
        let executor = CountingExecutor()
        let verifier = TokenVerifier(keys: Self.forge.keySet, policy: .lenient, clock: StandingClock())
        let batcher = OpportunisticBatcher(verifier, workers: 1, executor: executor)
        for round in 1...5 {
            #expect(await Self.verdict(batcher, Self.forge.token()) == "248289761001")
            #expect(executor.jobs.withLock { $0 } >= round)
        }
    }

    /// All tasks are ready before the first token can be verified, so batches have the maximum width.
    @Test
    func aSaturatedServerVerifiesEightAtATime() async {
        let batcher = Self.batcher(workers: 1)
        let token = Self.forge.token()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<800 { group.addTask { _ = await Self.verdict(batcher, token) } }
        }
        #expect(batcher.widths[8] ?? 0 >= 50)
    }
}

/// Runs each job on the thread that enqueues it.
private final class CountingExecutor: TaskExecutor {
    let jobs = Locked(0)

    func enqueue(_ job: consuming ExecutorJob) {
        jobs.withLock { $0 += 1 }
        // SAFETY: each job is run once, and the test retains the executor.
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
}

private struct StandingClock: UnixClock {
    var now: NumericDate { TokenForge.now }
}
