import JWTCore
import ReplayMemory
import Testing

/// Tasks use the same identifiers at once. Run under ThreadSanitizer as well.
@Suite(.serialized) struct ThreadSafetyOfReplayTableTests {
    private static let tasks = 4

    /// How often each number was the first, over tasks that each use all of `numbers`, in an order of their own.
    private static func firsts(
        _ table: ReplayTable, _ numbers: Range<Int>, until end: @escaping @Sendable (Int) -> Int64, now: @escaping @Sendable (Int) -> Int64
    ) async -> [Int: Int] {
        await withTaskGroup(of: [Int].self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var random = SeededRandomness(state: UInt64(task))
                    return numbers.shuffled(using: &random).filter { table.answer($0, until: end($0), now: now($0)) == "first" }
                }
            }
            return await group.reduce(into: [:]) { counts, firsts in for number in firsts { counts[number, default: 0] += 1 } }
        }
    }

    @Test func ofManyUsesAtOnceOneIsTheFirst() async {
        let table = ReplayTable(entries: 4_000)
        let firsts = await Self.firsts(table, 0..<4_000, until: { _ in 100 }, now: { _ in 1 })
        #expect(firsts.count == 4_000 && firsts.values.allSatisfy { $0 == 1 })
        #expect(table.count(at: 1) == 4_000)
    }

    /// In one bucket every use is in the way of every other.
    @Test func aFullBucketHasAsManyFirstsAsItHasWords() async {
        for _ in 0..<200 {
            let table = ReplayTable(entries: 4)
            let firsts = await Self.firsts(table, 0..<40, until: { _ in 100 }, now: { _ in 1 })
            #expect(firsts.count == 8 && firsts.values.allSatisfy { $0 == 1 })
        }
    }

    /// Clocks of their own: what has ended by one is overwritten while another one looks for it.
    @Test func noClockLetsAReplayThrough() async {
        let table = ReplayTable(entries: 64)
        for round in 0..<200 {
            let start = Int64(round) * 16 + 16
            let firsts = await Self.firsts(
                table, round * 100..<round * 100 + 100, until: { start + 16 + Int64($0 % 3) * 16 },
                now: { start + Int64($0 % 2) * Int64.random(in: 0...40) })
            #expect(firsts.values.allSatisfy { $0 == 1 })
        }
    }
}
