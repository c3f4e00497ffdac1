/// Limits the fetches in any second, whatever their addresses.
package struct FetchBudget: Sendable {
    private let limit: Int
    private static let window: Duration = .seconds(1)
    /// The times of the last fetches, the oldest first: at most `limit`.
    private var stamps: [Duration] = []

    package init(limit: Int) { self.limit = max(limit, 1) }

    /// When the next fetch may be made; not after `now` if one may be made now.
    func room(_ now: Duration) -> Duration {
        guard stamps.count >= limit, let oldest = stamps.first else { return now }
        return max(oldest + Self.window, now)
    }

    /// Takes a fetch if one may be made now.
    package mutating func take(_ now: Duration) -> Bool {
        stamps.removeAll { now - $0 >= Self.window }
        guard stamps.count < limit else { return false }
        stamps.append(now)
        return true
    }
}
