internal import Foundation
internal import NIOConcurrencyHelpers

/// The mark that one server serves from a database. A second one would have queues, outbox and budgets of its own beside the shared tables.
/// Administration commands need none.
///
/// It is a lock (flock(2)) on a file beside the database, `…-server`, which says who holds it. The kernel releases it with the process, however
/// that ends; the file stays, because removing it could leave two servers with a lock each.
final class ServerLock: Sendable {
    private let descriptor: NIOLockedValueBox<Int32?>

    /// - Parameters:
    ///   - database: the path; links are followed, so that a database has one lock.
    ///   - holder: for the message of another server, such as its address.
    /// - Throws: ``DatabaseFailure``.
    init(database: String, holder: String) throws(DatabaseFailure) {
        let path = URL(fileURLWithPath: DatabaseFile.plain(database)).resolvingSymlinksInPath().path + "-server"
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DatabaseFile.refusal(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.text(of: descriptor)
            close(descriptor)
            throw DatabaseFailure(.served, database, holder)
        }
        Self.write("process \(getpid()) at \(holder)\n", to: descriptor)
        self.descriptor = NIOLockedValueBox(descriptor)
    }

    deinit { release() }

    func release() {
        guard let descriptor = descriptor.withLockedValue({ $0.take() }) else { return }
        close(descriptor)
    }

    /// What the holder wrote, as one line of printable characters.
    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)).filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
    }

    /// A failure leaves the message out, and the lock holds.
    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    }
}
