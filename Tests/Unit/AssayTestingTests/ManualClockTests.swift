import AssayTesting
import JWTCore
import Testing

@Suite struct ManualClockTests {
    @Test func itMovesOnlyWhenATestMovesIt() {
        let clock = ManualClock(date: 1_000)
        #expect(clock.now == 1_000 && clock.elapsed == .zero)
        clock.advance(by: .seconds(5))
        #expect(clock.now == 1_005 && clock.date == 1_005 && clock.elapsed == .seconds(5))
        clock.setDate(10)
        #expect(clock.now == 10 && clock.elapsed == .seconds(5))
    }

    @Test func aSleeperWakesAtItsDeadlineOrWhenCancelled() async {
        let clock = ManualClock()
        let sleeper = Task { await clock.sleep(until: .seconds(10)) }
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(9))
        #expect(clock.sleeperCount == 1 && clock.nextDeadline == .seconds(10))
        clock.advance(by: .seconds(1))
        await sleeper.value
        let cancelled = Task { await clock.sleep(until: .seconds(100)) }
        cancelled.cancel()
        await cancelled.value
        #expect(clock.sleeperCount == 0)
    }
}
