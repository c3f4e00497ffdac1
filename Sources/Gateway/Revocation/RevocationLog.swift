public import JWTCore
internal import Locks

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Revocations in a file that a restart finds, and that other processes of the machine read: a line of JSON for each entry, added at the end
/// (Docs/Decisions/0085). One process writes it.
///
/// Calls block, on the disk too: not for an event loop.
public final class RevocationLog: Sendable {
    private let path: String
    private let limit: Int
    private let lock: Int32
    /// The calls whose entries no thread has begun to write.
    private let waiting = Locked<[Call]>([])
    private let file: Locked<WrittenLog>

    /// What one call adds. A thread that holds the lock of the file ends it.
    private final class Call: @unchecked Sendable {
        let entries: [RevocationList.Entry]
        let lines: [UInt8]
        // SAFETY: accessed only under the lock of the file.
        var outcome: Result<Void, RevocationLogFailure>?

        init(_ entries: [RevocationList.Entry], _ lines: [UInt8]) {
            self.entries = entries
            self.lines = lines
        }
    }

    /// Opens the log, or makes one that its group can read. A last line without an end is dropped: no call has said that it was there.
    ///
    /// - Parameters:
    ///   - path: of the file, in a folder where this process may make others.
    ///   - now: entries that ended before it are left out.
    ///   - limit: of entries.
    /// - Throws: ``RevocationLogFailure``: `in_use` while another process writes the log; `corrupt_line` for a line that is no entry, because
    ///   it is unknown what it revoked: take it out, or restore it; `not_regular`, `not_private`, `foreign_file`, `unsupported_version`,
    ///   `too_large`, `unreadable`, `write_failed`.
    public init(path: String, now: NumericDate, limit: Int = Revocations.mostEntries) throws(RevocationLogFailure) {
        self.path = path
        self.limit = limit
        lock = try LogFile.lock(path)
        do throws(RevocationLogFailure) {
            file = Locked(try WrittenLog(path, now: now))
        } catch {
            close(lock)
            throw error
        }
    }

    deinit {
        file.withLock { $0.close() }
        close(lock)
    }

    /// The entries, in order. Some may have ended.
    public var entries: [RevocationList.Entry] { file.withLock { $0.table.entries } }

    /// Adds entries, and returns when they are on the disk. Calls that wait at the same time share one write.
    ///
    /// A fraction of a second in a date counts as a second.
    ///
    /// - Parameters:
    ///   - entries: of one call are written together or not at all.
    ///   - now: where room is short, entries that ended before it are dropped.
    /// - Throws: ``RevocationLogFailure``: `invalid_entry`; `full` beyond the limit, and then no entry of this call is added; `write_failed`,
    ///   after which an entry may be there all the same: repeat the call.
    public func append(_ entries: [RevocationList.Entry], now: NumericDate) throws(RevocationLogFailure) {
        guard !entries.isEmpty else { return }
        var lines: [UInt8] = []
        for entry in entries {
            guard let line = RevocationLine.text(entry) else { throw RevocationLogFailure(.invalidEntry, path) }
            lines += line
        }
        let call = Call(entries, lines)
        waiting.withLock { $0.append(call) }
        let outcome = file.withLock { file in
            // Another thread may have written it while this one waited for the lock.
            if call.outcome == nil { write(takeWaiting(), now, &file) }
            return call.outcome
        }
        try outcome?.get()
    }

    private func takeWaiting() -> [Call] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// Ends the calls.
    private func write(_ calls: [Call], _ now: NumericDate, _ file: inout WrittenLog) {
        var lines: [UInt8] = [], entries: [RevocationList.Entry] = []
        for call in calls {
            let new = call.entries.count { [table = file.table] in !table.has($0) }
            guard file.hasRoom(for: entries.count + new, limit, now) else {
                call.outcome = .failure(RevocationLogFailure(.full, path))
                continue
            }
            entries += call.entries
            lines += call.lines
        }
        let outcome = Result { () throws(RevocationLogFailure) in try file.append(entries, lines, now) }
        for call in calls where call.outcome == nil { call.outcome = outcome }
    }
}
