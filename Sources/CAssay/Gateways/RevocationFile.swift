internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Locks

/// A file with revocations, which is read again within a second of a change. A file that cannot be used changes nothing.
final class RevocationFile: Sendable {
    let path: String
    private let state = Locked(State())

    private struct State {
        var content: [UInt8]?
        /// Nanoseconds of the host's clock.
        var nextLook = Int64.min
        var fault: String?

        mutating func isDue(_ now: Int64) -> Bool {
            guard now >= nextLook else { return false }
            nextLook = now + 1_000_000_000
            return true
        }

        /// Whether the content is another one than before.
        mutating func notes(_ next: [UInt8]?) -> Bool {
            guard content != next else { return false }
            content = next
            return true
        }
    }

    init(_ path: String) {
        self.path = path
        ForkedLocks.add(state, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    /// Why the file as it is now is not in force; nil if it is.
    var fault: String? { state.withLock { $0.fault } }

    /// - Throws: `SettingsFailure` with every fault.
    func load() throws(SettingsFailure) -> RevocationList {
        let content = try? RegularFile.read(path, limit: SettingsNode.mostBytes)
        _ = state.withLock { $0.notes(content) }
        return try list(content)
    }

    /// The list, if a second has passed since the last look, and the file has changed and can be used.
    ///
    /// - Parameter now: nanoseconds of the host's clock.
    func look(now: Int64) -> RevocationList? {
        guard state.withLock({ $0.isDue(now) }) else { return nil }
        let content = try? RegularFile.read(path, limit: SettingsNode.mostBytes)
        guard state.withLock({ $0.notes(content) }) else { return nil }
        do throws(SettingsFailure) {
            let list = try list(content)
            state.withLock { $0.fault = nil }
            return list
        } catch {
            state.withLock { $0.fault = error.description }
            return nil
        }
    }

    private func list(_ content: [UInt8]?) throws(SettingsFailure) -> RevocationList {
        guard let content else { throw SettingsFailure([SettingsFault(line: 0, .unreadable, "`revocations`: cannot be read: \(path)")]) }
        return try RevocationList(json: content.span)
    }
}
