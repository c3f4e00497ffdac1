internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Whether the system has refused memory to this command. The code in C then refuses what it was asked about, and a good token or key looks
/// like a bad one: such a refusal is no answer.
package enum MemoryShortage {
    private static let isMet = Atomic(false)

    /// Whether memory was refused in a ``noting(_:)``, on any thread.
    package static var wasMet: Bool { isMet.load(ordering: .relaxed) }

    /// Runs `body`, and notes whether this thread was refused memory meanwhile: malloc says so in `errno`, which no call sets back to zero.
    /// What `body` throws says nothing of the token or key then: ask ``check()``.
    package static func noting<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        errno = 0
        defer { look() }
        return try body()
    }

    /// The same for a key whose refusal ends the command.
    ///
    /// - Parameter failure: makes a failure of the error of `body`.
    /// - Throws: that failure; or ``CommandFailure/memoryShortage`` if memory was refused.
    package static func asking<Result, Failure>(
        _ body: () throws(Failure) -> Result, otherwise failure: (Failure) -> CommandFailure
    ) throws(CommandFailure) -> Result {
        do throws(Failure) {
            return try noting(body)
        } catch {
            try check()
            throw failure(error)
        }
    }

    /// Notes it within a longer ``noting(_:)``, before a call that sets `errno` for another reason.
    package static func look() {
        if errno == ENOMEM { isMet.store(true, ordering: .relaxed) }
    }

    /// For a command that is about to report a refusal.
    ///
    /// - Throws: ``CommandFailure/memoryShortage`` if memory was refused.
    package static func check() throws(CommandFailure) {
        if wasMet { throw .memoryShortage }
    }
}
