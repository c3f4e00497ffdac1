import JWKSCache
import Testing

struct ProbeBudgetTests {
    private let window = Duration.seconds(60)

    private func budget(_ change: (inout RefreshPolicy) -> Void = { _ in }) -> ProbeBudget {
        var policy = RefreshPolicy()
        policy.probeWindow = window
        change(&policy)
        return ProbeBudget(policy)
    }

    /// A source that asks for a long pause delays a token for a window, not longer.
    @Test(arguments: [(Duration.nanoseconds(-1), false), (.zero, true)])
    func aPauseEndsWhenATokenHasWaitedForAWindow(offset: Duration, isPermitted: Bool) {
        var budget = budget()
        budget.defer(until: .seconds(3_600))
        budget.wait(.zero)
        #expect(budget.take(window + offset) == isPermitted)
    }
}
