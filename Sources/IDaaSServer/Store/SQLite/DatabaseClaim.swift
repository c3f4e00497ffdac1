internal import Foundation
internal import JWTCore
internal import Locks

/// This process's use of a database file, for the lifetime of this object.
///
/// Closing any descriptor of a file releases all locks of the process on it (fcntl(2)), including SQLite's. So the process inspects a file
/// before its first use, and not again while it is in use.
final class DatabaseClaim: Sendable {
    private struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64
    }

    private static let uses = Locked<[Identity: Int]>([:])
    private let identity: Identity

    /// - Throws: ``DatabaseFailure`` for a file that is not a database of this program.
    init(path: String) throws {
        let identity = try Self.identity(of: path)
        try Self.uses.withLock { uses in
            if uses[identity] == nil { try DatabaseFile.check(path) }
            uses[identity, default: 0] += 1
        }
        self.identity = identity
    }

    deinit {
        Self.uses.withLock { [identity] uses in
            let rest = uses[identity, default: 1] - 1
            uses[identity] = rest > 0 ? rest : nil
        }
    }

    private static func identity(of path: String) throws -> Identity {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw errno == ENOENT ? DatabaseFailure(.missing, path) : DatabaseFile.refusal(path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw DatabaseFailure(.notAFile, path) }
        return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }
}
