internal import JWKSCache
internal import JWTCore
internal import Locks

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Reads the log of revocations that another process writes (``RevocationLog``), from where it last ended.
///
/// It only ever brings entries: one that was read counts until its end, whatever becomes of the file. So a file that was replaced or has become
/// shorter is read anew, and one that cannot be used changes nothing.
package final class RevocationLogReader: Sendable {
    package let path: String
    private let state = Locked(State())

    private struct State {
        /// Kept open: meanwhile no other file has its number.
        var descriptor: Int32 = -1
        var lines = RevocationLines()
        var size: off_t = 0
        /// So far it was read at the last look; nil if there was more to read.
        var seen: off_t?
        var fault: RevocationLogFailure?

        mutating func close() {
            if descriptor >= 0 { _ = closeDescriptor(descriptor) }
            descriptor = -1
            startAnew()
        }

        mutating func startAnew() {
            lines = RevocationLines()
            seen = nil
        }

        /// The next entries; nil if the system cannot read.
        mutating func read() -> (entries: [RevocationList.Entry], hasMore: Bool)? {
            guard descriptor >= 0, seen != size else { return ([], false) }
            guard let read = lines.read(descriptor) else { return nil }
            seen = read.hasMore ? nil : size
            return read
        }
    }

    package init(path: String) {
        self.path = path
        ForkedLocks.add(state, of: self)
    }

    deinit {
        ForkedLocks.remove(self)
        state.withLock { $0.close() }
    }

    /// Why the file as it is now is not in force as a whole; nil if it is.
    package var fault: RevocationLogFailure? { state.withLock { $0.fault } }

    /// Reads the file from its start at the next look.
    package func readAnew() { state.withLock { $0.close() } }

    /// The entries that have come, at most those of 256 KiB, and whether to look again at once.
    package func look() -> (entries: [RevocationList.Entry], hasMore: Bool) {
        state.withLock { state in
            var fault: RevocationLogFailure?
            do throws(RevocationLogFailure) { try Self.follow(path, &state) } catch { fault = error }
            // A file that is gone may not have been read to its end.
            let canRead = fault == nil || fault?.code == .missing, read = canRead ? state.read() : ([], false)
            if read == nil { fault = fault ?? .ofSystem(.unreadable, path) }
            state.fault = fault ?? state.lines.fault.map { RevocationLogFailure($0.code, path, line: $0.line) }
            return read ?? ([], false)
        }
    }

    /// Opens the file that the path names now, unless it is open.
    private static func follow(_ path: String, _ state: inout State) throws(RevocationLogFailure) {
        var about = stat()
        guard unsafe lstat(path, &about) == 0 else { throw errno == ENOENT ? .init(.missing, path) : .ofSystem(.unreadable, path) }
        try LogFile.check(about, path)
        if try !isOpen(about, state.descriptor) {
            state.close()
            state.descriptor = try LogFile.open(path)
        }
        state.size = about.st_size
        if about.st_size < state.lines.offset { state.startAnew() }
    }

    private static func isOpen(_ about: stat, _ descriptor: Int32) throws(RevocationLogFailure) -> Bool {
        var open = stat()
        return unsafe descriptor >= 0 && fstat(descriptor, &open) == 0 && open.st_ino == about.st_ino && open.st_dev == about.st_dev
    }
}

// Inside the type its own functions hide those of the system.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
