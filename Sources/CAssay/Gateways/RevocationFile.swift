internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Locks

/// A file with revocations, which is read again within a second of a change. A file that cannot be used changes nothing.
final class RevocationFile: Sendable {
    let path: String
    private let state = Locked(State())

    private struct State {
        var watched = WatchedDocument()
        var fault: String?

        /// Whether the content is another one than at the last look.
        mutating func notes(_ content: [UInt8]?) -> Bool {
            watched.note(WatchedDocument.digest(of: content))
            defer { watched.hasChanged = false }
            return watched.hasChanged
        }
    }

    init(_ path: String) {
        self.path = path
        ForkedLocks.add(state, of: self)
    }

    deinit { ForkedLocks.remove(self) }

    /// Why the file as it is now is not in force; nil if it is.
    var fault: String? { state.withLock { $0.fault } }

    /// - Throws: `SettingsFailure` with every fault, which names the setting and the file.
    func load() throws(SettingsFailure) -> RevocationList {
        let content = try? RegularFile.read(path, limit: SettingsNode.mostBytes)
        _ = state.withLock { $0.notes(content) }
        do throws(SettingsFailure) {
            return try list(content)
        } catch {
            throw SettingsFailure(error.faults.map { SettingsFault(line: 0, $0.code, "`revocations`: \(path): \($0.description)") })
        }
    }

    /// The list, if a second has passed since the last look, and the file has changed and can be used.
    ///
    /// - Parameter now: nanoseconds of the host's clock.
    func look(now: Int64) -> RevocationList? {
        guard state.withLock({ $0.watched.isDue(.nanoseconds(now)) }) else { return nil }
        let content = try? RegularFile.read(path, limit: SettingsNode.mostBytes)
        guard state.withLock({ $0.notes(content) }) else { return nil }
        do throws(SettingsFailure) {
            let list = try list(content)
            state.withLock { $0.fault = nil }
            return list
        } catch {
            state.withLock { $0.fault = error.faults.map(\.description).joined(separator: "; ") }
            return nil
        }
    }

    private func list(_ content: [UInt8]?) throws(SettingsFailure) -> RevocationList {
        guard let content else { throw SettingsFailure([SettingsFault(line: 0, .unreadable, "cannot be read")]) }
        return try RevocationList(json: content.span)
    }
}
