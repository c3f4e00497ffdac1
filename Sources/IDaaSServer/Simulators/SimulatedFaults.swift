internal import JWTCore
internal import Locks

/// Errors that a test ordered from a simulator: the next calls answer them.
final class SimulatedFaults: Sendable {
    private let codes = Locked<[String: [String]]>([:])

    /// - Parameter upstream: `wechat`, `dypnsapi` or `carrier`.
    func order(_ code: String, from upstream: String, count: Int) {
        codes.withLock { $0[upstream, default: []] += Array(repeating: code, count: count) }
    }

    func next(of upstream: String) -> String? {
        codes.withLock { codes in
            guard let first = codes[upstream]?.first else { return nil }
            codes[upstream]?.removeFirst()
            return first
        }
    }
}
