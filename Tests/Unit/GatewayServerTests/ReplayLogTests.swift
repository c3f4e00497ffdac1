import Gateway
import GatewayServer
import JWTCore
import Testing

/// What the log says about a memory of uses that fails.
struct ReplayLogTests {
    /// Seconds, whether the memory fails then, and whether the log says so.
    private static let course: [(second: Int64, isFailing: Bool, isNews: Bool)] = [
        (0, false, false), (1, true, true), (2, true, false), (3, false, false), (4, true, false), (60, false, false), (61, false, true),
        (62, true, false), (63, false, false), (200, false, false), (201, true, true), (150, false, false), (100, false, true),
    ]

    @Test func aMemoryThatIsNearlyFullHasALineInAMinute() {
        let counts = ReplayCounts(), start: NumericDate = 1_700_000_000
        for step in Self.course {
            #expect(counts.isNews(isFailing: step.isFailing, at: start.advanced(by: .seconds(step.second))) == step.isNews, "\(step)")
        }
    }
}
