import JWTCore
import ReplayMemory
import Testing

struct ReplayTableTests {
    @Test func theFirstUseOfEachIsTheOnlyOne() {
        let table = ReplayTable(entries: 10_000)
        #expect(table.answers(0..<10_000, until: 100, now: 1) == ["first": 10_000])
        #expect(table.answers(0..<10_000, until: 100, now: 99) == ["replayed": 10_000])
        #expect(table.count(at: 99) == 10_000 && table.bytes == 160_064)
    }

    /// And none of a million first uses is mistaken for a replay.
    @Test(arguments: [1, 2, 3, 5, 63, 64, 1_000, 1_000_000])
    func hasRoomForWhatItPromises(_ entries: Int) {
        #expect(ReplayTable(entries: entries).answers(0..<entries, until: 100, now: 1) == ["first": entries])
    }

    @Test func aFullTableRefusesAndForgetsNothing() {
        // One bucket: eight words, of which it promises four.
        let table = ReplayTable(entries: 4)
        #expect(table.answers(0..<20, until: 100, now: 1) == ["first": 8, "replay_memory_full": 12])
        #expect(table.answers(0..<8, until: 100, now: 90) == ["replayed": 8])
        #expect(table.answers(8..<20, until: 100, now: 90) == ["replay_memory_full": 12])
    }

    @Test func entriesThatHaveEndedGiveTheirRoom() {
        let table = ReplayTable(entries: 4)
        #expect(table.answers(0..<8, until: 96, now: 1) == ["first": 8])
        #expect(table.answers(10..<18, until: 192, now: 95) == ["replay_memory_full": 8])
        #expect(table.answers(10..<18, until: 192, now: 96) == ["first": 8])
        #expect(table.answers(10..<18, until: 192, now: 97) == ["replayed": 8])
    }

    /// (end, now, answer): an entry lives to the end of its 16 seconds, a use ends with its own second.
    @Test(arguments: [
        (100, 99, "first"), (100, 100, "replay_memory_ended"), (100, 101, "replay_memory_ended"), (0, -5, "replay_memory_ended"),
        (-5, -10, "replay_memory_ended"), (1, 0, "first"), (Int64.max, 0, "first"), (253_402_300_799, 1_800_000_000, "first"),
        (Int64.max, 4_294_967_279, "first"), (Int64.max, 4_294_967_280, "replay_memory_ended"), (Int64.max, .max, "replay_memory_ended"),
        (Int64.min, .min, "replay_memory_ended"), (100, .min, "first"),
    ])
    func aUseEndsWithItsThing(_ end: Int64, _ now: Int64, _ answer: String) {
        #expect(ReplayTable(entries: 4).answer(1, until: end, now: now) == answer)
    }

    @Test func aFractionCountsAsASecond() throws {
        let table = ReplayTable(entries: 4), end = NumericDate(seconds: 96, nanoseconds: 1)
        #expect(try table.useNow(.number(1), until: end, now: 96) == .first)
        #expect(try table.useNow(.number(1), until: end, now: 96) == .replayed)
    }

    @Test func aClockThatGoesBackLetsNoReplayThrough() {
        let table = ReplayTable(entries: 4)
        #expect(table.answers(0..<8, until: 96, now: 50) == ["first": 8])
        // At 100 all have ended, and others take their room. Then the clock is set back.
        #expect(table.answers(10..<18, until: 200, now: 100) == ["first": 8])
        #expect(table.answers(0..<8, until: 96, now: 50) == ["replay_memory_ended": 8])
        #expect(table.answers(10..<18, until: 200, now: 50) == ["replayed": 8])
    }

    @Test func aClockThatLeapsForwardAndBackRefusesOnlyWhatWasForgotten() {
        let table = ReplayTable(entries: 4), year: Int64 = 31_536_000
        #expect(table.answers(0..<8, until: 96, now: 50) == ["first": 8])
        #expect(table.answer(100, until: year + 90, now: year) == "first")
        #expect(table.answers(0..<8, until: 96, now: 51) == ["replay_memory_ended": 1, "replayed": 7])
        // The entries of the leap stay; everything that ends after what was forgotten passes.
        #expect(table.answer(101, until: 128, now: 97) == "first")
    }

    @Test func aBlockIsSharedByWhoeverTakesItOver() throws {
        let count = ReplayBlock.wordCount(entries: 64)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 8, alignment: 64)
        defer { unsafe memory.deallocate() }
        let first = try unsafe #require(ReplayBlock(memory, words: count, isNew: true))
        let second = try unsafe #require(ReplayBlock(memory, words: count, isNew: false))
        #expect(first.use(.number(1), until: 100, now: 1) == .first)
        #expect(second.use(.number(1), until: 100, now: 1) == .replayed)
        #expect(unsafe ReplayBlock(memory, words: count - 8, isNew: false) == nil)
        #expect(unsafe ReplayBlock(memory, words: 8, isNew: true) == nil)
    }
}
