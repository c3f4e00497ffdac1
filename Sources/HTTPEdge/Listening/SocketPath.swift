internal import NIOConcurrencyHelpers
internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The place and the rights of a socket file.
package struct SocketPath: Hashable, Sendable {
    package var path: String
    package var mode: UInt32
    /// A name or a number; nil: the process's own.
    package var owner: String?
    package var group: String?

    package init(_ path: String, mode: UInt32 = 0o660, owner: String? = nil, group: String? = nil) {
        self.path = path
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    /// The longest path, in bytes: `sun_path` has 108 with its end, and the file is bound under a longer name first.
    package static let longest = 107 - suffix.utf8.count
    private static let suffix = ".new"
}

extension SocketPath {
    /// Binds the socket `descriptor` to a new file in this place. A socket file that nothing listens on is replaced.
    ///
    /// - Throws: ``ListeningFailure`` if the path holds anything else.
    func open(_ descriptor: Int32, backlog: Int32) throws(ListeningFailure) -> SocketFile {
        // Two programs that look at the same time would each take the other's new socket for an old one.
        try SystemCalls.withLock(onFolderOf: path, name) { () throws(ListeningFailure) in
            _ = try isStale(path)
            if try isStale(temporary), unsafe unlink(temporary) != 0 { throw SystemCalls.failure("cannot be removed", "unix:\(temporary)") }
            return try bind(descriptor, backlog)
        }
    }

    private var name: String { "unix:\(path)" }
    private var temporary: String { path + Self.suffix }

    private func bind(_ descriptor: Int32, _ backlog: Int32) throws(ListeningFailure) -> SocketFile {
        try SystemCalls.bind(descriptor, try address(temporary), name)
        do throws(ListeningFailure) {
            // Links are not followed: another user who may write to the folder could have put one here.
            guard unsafe fchmodat(AT_FDCWD, temporary, mode_t(mode), AT_SYMLINK_NOFOLLOW) == 0 else {
                throw SystemCalls.failure("its mode cannot be set", name)
            }
            let (user, group) = try (userID(), groupID())
            if self.owner != nil || self.group != nil {
                guard unsafe lchown(temporary, user, group) == 0 else { throw SystemCalls.failure("its owner cannot be set", name) }
            }
            try SystemCalls.listen(descriptor, backlog: backlog, name)
            guard let file = SocketFile(temporary, movingTo: path) else { throw SystemCalls.failure("cannot be renamed", name) }
            return file
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    private func address(_ path: String) throws(ListeningFailure) -> SocketAddress {
        guard !path.utf8.contains(0), path.utf8.count <= Self.longest + Self.suffix.utf8.count,
            let address = try? SocketAddress(unixDomainSocketPath: path)
        else { throw ListeningFailure(.invalidAddress, "unix:\(path): a path of a socket has at most \(Self.longest) bytes") }
        return address
    }

    /// Whether `path` holds a socket that nothing listens on; false if it holds nothing.
    private func isStale(_ path: String) throws(ListeningFailure) -> Bool {
        let address = try address(path)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() || geteuid() == 0 else {
            throw ListeningFailure(.pathTaken, "unix:\(path): is not a socket of this user, and stays")
        }
        guard try !SystemCalls.answers(address, "unix:\(path)") else {
            throw ListeningFailure(.addressInUse, "unix:\(path): another socket listens there")
        }
        return true
    }

    /// Of ``owner``; the largest number leaves it unchanged (chown(2)).
    private func userID() throws(ListeningFailure) -> uid_t {
        guard let owner else { return .max }
        if let number = uid_t(owner) { return number }
        // SAFETY: the record is read before another call on this thread; listeners are made one after the other.
        guard let id = unsafe getpwnam(owner)?.pointee.pw_uid else {
            throw ListeningFailure(.unknownOwner, "unix:\(path): there is no user \(owner)")
        }
        return id
    }

    private func groupID() throws(ListeningFailure) -> gid_t {
        guard let group else { return .max }
        if let number = gid_t(group) { return number }
        // SAFETY: as above.
        guard let id = unsafe getgrnam(group)?.pointee.gr_gid else {
            throw ListeningFailure(.unknownOwner, "unix:\(path): there is no group \(group)")
        }
        return id
    }
}

/// A socket file in its place, known by its inode.
final class SocketFile: Sendable {
    private let path: String
    private let device: UInt64
    private let inode: UInt64
    private let isThere = NIOLockedValueBox(true)

    /// Nil if `temporary` cannot be renamed.
    init?(_ temporary: String, movingTo path: String) {
        guard let (device, inode) = Self.identity(temporary), unsafe rename(temporary, path) == 0 else { return nil }
        self.path = path
        self.device = device
        self.inode = inode
    }

    /// Removes the file, unless another process has replaced it. Does nothing the second time: the file of a later socket may have the same
    /// inode.
    func remove() {
        isThere.withLockedValue {
            guard $0 else { return }
            $0 = false
            guard let (device, inode) = Self.identity(path), device == self.device, inode == self.inode else { return }
            unsafe unlink(path)
        }
    }

    private static func identity(_ path: String) -> (UInt64, UInt64)? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
}
