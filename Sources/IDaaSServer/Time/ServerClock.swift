internal import Foundation

/// The wall clock of the server: the only source for every lifetime, limit and date.
package protocol ServerClock: Sendable {
    var now: Timestamp { get }
}

/// The machine's clock.
package struct SystemServerClock: ServerClock {
    package init() {}

    package var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }
}
