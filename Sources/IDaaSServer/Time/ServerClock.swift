#if IDaaS
internal import Foundation

/// The wall clock of the server: every lifetime, limit and date is measured by it alone.
public protocol ServerClock: Sendable {
    var now: Timestamp { get }
}

/// The clock of the machine.
public struct SystemClock: ServerClock {
    public init() {}

    public var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
#endif
