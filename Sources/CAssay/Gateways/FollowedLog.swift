internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Locks

/// The log of revocations that another process writes, looked at four times a second. A file that cannot be used changes nothing.
final class FollowedLog: Sendable {
    private let reader: RevocationLogReader
    private let state = Locked(State())

    private struct State {
        /// In nanoseconds of the host's clock.
        var nextLook: Int64?
        var nextDrop: Int64?
        /// An entry found no place.
        var isFull = false

        mutating func isDue(_ now: Int64) -> Bool {
            guard now >= nextLook ?? now else { return false }
            nextLook = now + pause
            return true
        }

        mutating func isTimeToDrop(_ now: Int64) -> Bool {
            guard now >= nextDrop ?? now else { return false }
            nextDrop = now + minute
            return true
        }

        mutating func takeFull() -> Bool {
            defer { isFull = false }
            return isFull
        }
    }

    private static let pause: Int64 = 250_000_000
    private static let minute: Int64 = 60_000_000_000

    init(_ path: String) {
        reader = RevocationLogReader(path: path)
        ForkedLocks.add(state, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    var path: String { reader.path }

    /// Why not all that the file has now is in force; nil if it is.
    var fault: String? { reader.fault.map(\.description) ?? (state.withLock { $0.isFull } ? Self.full(path) : nil) }

    private static func full(_ path: String) -> String { "\(path): has more entries than this gateway takes, \(Revocations.mostEntries)" }

    /// Reads all that is there.
    ///
    /// - Throws: `SettingsFailure` for a file that cannot be used as a whole.
    func load(into revocations: Revocations, date: NumericDate) throws(SettingsFailure) {
        var hasMore = true, isComplete = true
        while hasMore {
            let look = reader.look()
            isComplete = revocations.add(look.entries.filter { $0.lasts(at: date) }) && isComplete
            hasMore = look.hasMore
        }
        let fault = reader.fault
        guard fault == nil, isComplete else {
            throw SettingsFailure([
                SettingsFault(line: 0, fault?.settingsCode ?? .tooLarge, "`revocationLog`: \(fault?.description ?? Self.full(path))")
            ])
        }
    }

    /// Adds what has come, if a quarter of a second has passed since the last look, or if that left something.
    ///
    /// - Parameter now: nanoseconds of the host's clock.
    func look(into revocations: Revocations, now: Int64, date: NumericDate) {
        guard state.withLock({ $0.isDue(now) }) else { return }
        if state.withLock({ $0.isTimeToDrop(now) }) {
            revocations.removeExpired(at: date)
            // There may be room now for what found no place.
            if state.withLock({ $0.takeFull() }) { reader.readAnew() }
        }
        let look = reader.look(), isComplete = revocations.add(look.entries.filter { $0.lasts(at: date) })
        state.withLock { state in
            if !isComplete { state.isFull = true }
            if look.hasMore { state.nextLook = now }
        }
    }

    /// - Parameter now: nanoseconds of the host's clock.
    func nextDue(now: Int64) -> Duration { .nanoseconds(max(0, state.withLock { min($0.nextLook ?? now, now + Self.pause) } - now)) }
}

extension RevocationList.Entry {
    fileprivate func lasts(at date: NumericDate) -> Bool { until.map { $0 >= date } ?? true }
}

extension RevocationLogFailure {
    fileprivate var settingsCode: SettingsFault.Code {
        switch code {
        case .missing, .unreadable, .notRegular, .notPrivate: .unreadable
        case .tooLarge, .full: .tooLarge
        default: .invalidValue
        }
    }
}
