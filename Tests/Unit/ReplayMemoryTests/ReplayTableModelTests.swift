import JWTCore
import ReplayMemory
import Testing

/// Random uses of a table beside a dictionary that forgets nothing.
struct ReplayTableModelTests {
    private struct Model {
        var used: Set<Int> = []
        /// The latest date that the table has seen.
        var latest: Int64 = 0
        var answers: [String: Int] = [:]
    }

    @Test(arguments: [(1, 4), (2, 40), (3, 400), (4, 2_000)])
    func answersAsADictionaryThatForgetsNothing(_ seed: UInt64, _ entries: Int) {
        let table = ReplayTable(entries: entries)
        var random = SeededRandomness(state: seed), model = Model(), now: Int64 = 1_000
        for _ in 0..<300_000 {
            // Mostly forward, now and then back.
            if Int.random(in: 0..<entries, using: &random) == 0 { now += Int64.random(in: -40...60, using: &random) }
            let group = Int(now - 1_000) / 40 + Int.random(in: -1...3, using: &random)
            let number = group * entries / 2 + Int.random(in: 0..<entries / 2, using: &random)
            check(table, number, until: 1_000 + Int64(group) * 40, now: now, &model)
        }
        #expect(model.answers["first", default: 0] > 10 * entries && model.answers["replayed", default: 0] > entries)
        #expect(model.answers["replay_memory_ended", default: 0] > 0)
    }

    private func check(_ table: ReplayTable, _ number: Int, until end: Int64, now: Int64, _ model: inout Model) {
        let answer = table.answer(number, until: end, now: now)
        model.latest = max(model.latest, now)
        model.answers[answer, default: 0] += 1
        switch answer {
        case "first": #expect(model.used.insert(number).inserted && end > now)
        case "replayed": #expect(model.used.contains(number) && end > now)
        // Only what had ended once may be refused so: entries live to the end of their 16 seconds.
        case "replay_memory_ended": #expect(end <= model.latest + 15)
        default: #expect(table.count(at: NumericDate(seconds: now)) > table.entries / 2)
        }
    }
}
