import CForkCheck
import CReadCopyUpdate
import Dispatch
import Foundation
import JWKSCache
import JWKSTestSupport
import JWTCore
import JWTTestSupport
import Locks
import Synchronization
import Testing

/// Old key sets are freed when they have no readers, and not before. Run under ThreadSanitizer as well.
@Suite(.serialized) struct ThreadSafetyOfSlotsTests {
    private static let now: Duration = .seconds(1)
    private static let end: Duration = .seconds(1_000)

    private static func set(_ place: Int) -> KeySet { TokenForge.keySet([KeyPool.forges[place].jwk]) }

    @Test func aSlotWithoutKeysHasNone() {
        let slot = KeySetSlot()
        #expect(throws: VerificationError.keysUnavailable) { try slot.withKeys(at: Self.now.nanoseconds) { _ in } }
    }

    @Test func keysEndAtTheirMoment() throws {
        let slot = KeySetSlot()
        slot.replace(Self.set(0), endsAt: .seconds(5), generation: 1)
        #expect(try slot.withKeys(at: 4_999_999_999) { $0.keys.count } == 1)
        #expect(throws: VerificationError.keysUnavailable) { try slot.withKeys(at: 5_000_000_000) { _ in } }
    }

    @Test func anOldSetIsFreedAsSoonAsNobodyReads() throws {
        let slot = KeySetSlot()
        var old: KeySet? = Self.set(0)
        weak let observed = old
        slot.replace(old, endsAt: Self.end, generation: 1)
        old = nil
        #expect(observed != nil)
        slot.replace(Self.set(1), endsAt: Self.end, generation: 2)
        #expect(Self.reclaims(slot) { observed == nil })
        #expect(!slot.hasRetired)
    }

    /// Whether `isSo` becomes true once other tests' readers have left their sections; the whole process waits for them.
    private static func reclaims(_ slot: KeySetSlot, until isSo: () -> Bool) -> Bool {
        for _ in 0..<1_000_000 where !isSo() {
            sched_yield()
            slot.reclaim()
        }
        return isSo()
    }

    @Test func anOldSetLivesAsLongAsItIsRead() throws {
        let slot = KeySetSlot()
        weak var observed: KeySet?
        do {
            let old = Self.set(0)
            observed = old
            slot.replace(old, endsAt: Self.end, generation: 1)
        }
        try slot.withKeys(at: Self.now.nanoseconds) { keys in
            slot.replace(Self.set(1), endsAt: Self.end, generation: 2)
            slot.reclaim()
            #expect(observed != nil)
            #expect(keys.keys[0].keyID == "key-0")
            #expect(slot.hasRetired)
        }
        #expect(Self.reclaims(slot) { observed == nil })
    }

    @Test func aReaderThatSleepsHoldsNoRefreshUpAndNoMoreThanWhatItReads() throws {
        let slot = KeySetSlot()
        slot.replace(Self.set(0), endsAt: Self.end, generation: 1)
        let reader = SleepingReader(of: slot, at: Self.now)
        for generation in 2...200 as ClosedRange<UInt64> {
            slot.replace(Self.set(Int(generation) % 8), endsAt: Self.end, generation: generation)
        }
        #expect(slot.hasRetired)
        reader.end()
        #expect(Self.reclaims(slot) { !slot.hasRetired })
    }

    @Test func aSlotFreesWhatItHolds() {
        weak var observed: KeySet?
        do {
            let slot = KeySetSlot(), keys = Self.set(0)
            observed = keys
            slot.replace(keys, endsAt: Self.end, generation: 1)
        }
        #expect(observed == nil)
    }

    @Test func readersBesideThousandsOfSwapsSeeWholeSets() {
        let slot = KeySetSlot()
        let sets = (0..<8).map { place in (0..<2).map { TokenForge.keySet([KeyPool.forges[(place + $0) % 8].jwk]) } }
        slot.replace(sets[0][0], endsAt: Self.end, generation: 1)
        let running = Atomic(true), wrong = Atomic(0), reads = Atomic(0)
        onThreads(4) { thread in
            if thread == 0 {
                var swap = 0
                while swap < 5_000 || reads.load(ordering: .relaxed) == 0 {
                    // New objects, so that reading a freed one cannot succeed by chance.
                    slot.replace(TokenForge.keySet([KeyPool.forges[swap % 8].jwk]), endsAt: Self.end, generation: UInt64(swap + 2))
                    swap += 1
                }
                running.store(false, ordering: .releasing)
                return
            }
            while running.load(ordering: .acquiring) {
                let isWhole = try? slot.withKeys(at: Self.now.nanoseconds) { keys in
                    keys.keys.count == 1 && keys.keys[0].keyID?.hasPrefix("key-") == true && keys.keys[0].thumbprint?.utf8.count == 43
                }
                if isWhole != true { wrong.add(1, ordering: .relaxed) }
                reads.add(1, ordering: .relaxed)
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(reads.load(ordering: .relaxed) > 0)
        #expect(Self.reclaims(slot) { !slot.hasRetired })
    }

    /// The same set comes back with other ends: a reader between two writes must not combine a set with the end of another.
    @Test func noReaderIsLentASetThatHasEnded() {
        let slot = KeySetSlot(), ended = Self.set(0), fresh = Self.set(1)
        let running = Atomic(true), endedLent = Atomic(0), freshLent = Atomic(0)
        onThreads(3) { thread in
            if thread == 0 {
                var swap: UInt64 = 0
                while swap < 100_000 || freshLent.load(ordering: .relaxed) == 0 {
                    slot.replace(ended, endsAt: Self.now, generation: 2 * swap)
                    slot.replace(fresh, endsAt: Self.end, generation: 2 * swap + 1)
                    swap += 1
                }
                running.store(false, ordering: .releasing)
                return
            }
            while running.load(ordering: .acquiring) {
                _ = try? slot.withKeys(at: Self.now.nanoseconds) { keys in
                    if keys === ended { endedLent.add(1, ordering: .relaxed) } else { freshLent.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(endedLent.load(ordering: .relaxed) == 0)
    }

    @Test func verdictsHoldWhileARemoteSetIsExchanged() async {
        let transport = ScriptedTransport(), clock = ManualClock(), url = "https://idp.example/jwks"
        transport.answer(url, KeyPool.set(0, 1))
        let keys = RemoteKeySet(.jwks(url: url), transport: transport, clock: clock, seed: 1)
        #expect(await settles { keys.isReady })
        let verifier = TokenVerifier(keys: keys, policy: KeyPool.policy, clock: clock)
        let tokens = [KeyPool.token(0), KeyPool.token(1)]
        let wrong = Locked<Set<String>>([])
        await withTaskGroup(of: Void.self) { group in
            for reader in 0..<3 {
                group.addTask {
                    for round in 0..<400 {
                        let place = (round + reader) % 2
                        let verdict = verifier.verdict(tokens[place])
                        // Key 0 is in every set; key 1 is added and removed.
                        let expected: Set<String> = place == 0 ? ["valid"] : ["valid", "unknown_key", "keys_unavailable"]
                        if !expected.contains(verdict) { wrong.withLock { _ = $0.insert(verdict) } }
                        if round % 20 == 0 { await Task.yield() }
                    }
                }
            }
            group.addTask {
                for round in 0..<200 {
                    transport.answer(url, round % 2 == 0 ? KeyPool.set(0) : KeyPool.set(0, 1))
                    await keys.refresh()
                }
            }
        }
        #expect(wrong.withLock { $0 } == [])
        // A refresh may join a fetch caused by a reader's token, and then gets its result.
        #expect((keys.generation ?? 0) > 100)
    }

    @Test func recordsAreTakenOverByLaterThreads() {
        // Other tests have reading threads meanwhile, but not every time.
        let wereTakenOver = (0..<20).contains { _ in
            let before = crcu_reader_count()
            for _ in 0..<50 {
                onThreads(1) { _ in
                    guard let reader = unsafe crcu_enter() else { return }
                    unsafe crcu_leave(reader)
                }
            }
            return crcu_reader_count() <= before + 2
        }
        #expect(wereTakenOver)
    }

    @Test func aChildProcessForgetsTheThreadsItDoesNotHave() {
        let slot = KeySetSlot()
        slot.replace(Self.set(0), endsAt: Self.end, generation: 1)
        let reader = SleepingReader(of: slot, at: Self.now)
        let before = crcu_grace_is_over(crcu_grace_begin())
        let child = cfork_child_sees_no_readers()
        reader.end()
        #expect(before == 0, "the parent sees the reader")
        #expect(child == 1)
    }
}

/// A thread that is within a read until the test ends it.
private struct SleepingReader {
    private let done = DispatchSemaphore(value: 0), ended = DispatchSemaphore(value: 0)

    init(of slot: KeySetSlot, at now: Duration) {
        let reading = DispatchSemaphore(value: 0)
        DispatchQueue.global().async { [done, ended] in
            try? slot.withKeys(at: now.nanoseconds) { _ in
                reading.signal()
                done.wait()
            }
            ended.signal()
        }
        reading.wait()
    }

    func end() {
        done.signal()
        ended.wait()
    }
}
