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
        /// The size at the last look; nil if there was more to read.
        var seen: off_t?
        var fault: RevocationLogFailure?

        mutating func close() {
            if descriptor >= 0 { _ = closeDescriptor(descriptor) }
            descriptor = -1
            lines = RevocationLines()
            seen = nil
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
            do throws(RevocationLogFailure) {
                let read = try Self.read(path, &state)
                state.fault = state.lines.fault.map { RevocationLogFailure($0.code, path, line: $0.line) }
                return read
            } catch {
                state.fault = error
                return ([], false)
            }
        }
    }

    private static func read(
        _ path: String, _ state: inout State
    ) throws(RevocationLogFailure) -> (entries: [RevocationList.Entry], hasMore: Bool) {
        var about = stat()
        guard unsafe lstat(path, &about) == 0 else { throw errno == ENOENT ? .init(.missing, path) : .ofSystem(.unreadable, path) }
        try LogFile.check(about, path)
        if try !isOpen(about, state.descriptor) {
            state.close()
            state.descriptor = try LogFile.open(path)
        }
        if about.st_size < state.lines.offset {
            state.lines = RevocationLines()
            state.seen = nil
        }
        guard about.st_size != state.seen else { return ([], false) }
        guard let read = state.lines.read(state.descriptor) else { throw .ofSystem(.unreadable, path) }
        state.seen = read.hasMore ? nil : about.st_size
        return read
    }

    private static func isOpen(_ about: stat, _ descriptor: Int32) throws(RevocationLogFailure) -> Bool {
        var open = stat()
        return unsafe descriptor >= 0 && fstat(descriptor, &open) == 0 && open.st_ino == about.st_ino && open.st_dev == about.st_dev
    }
}

// Inside the type its own functions hide those of the system.
private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
