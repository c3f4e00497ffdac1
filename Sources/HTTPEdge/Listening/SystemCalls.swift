internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The system calls of ``ListeningSocket``, with failures as values.
enum SystemCalls {
    /// A socket for streams, closed on exec.
    static func socket(_ family: NIOBSDSocket.ProtocolFamily, _ name: String) throws(ListeningFailure) -> Int32 {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let domain = family == .unix ? AF_UNIX : family == .inet6 ? AF_INET6 : AF_INET
        #if canImport(Darwin)
        let descriptor = Darwin.socket(domain, kind, 0)
        #elseif canImport(Musl)
        let descriptor = Musl.socket(domain, kind, 0)
        #else
        let descriptor = Glibc.socket(domain, kind, 0)
        #endif
        guard descriptor >= 0 else { throw failure("no socket", name) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    static func bind(_ descriptor: Int32, _ address: SocketAddress, _ name: String) throws(ListeningFailure) {
        #if canImport(Darwin)
        let status = unsafe address.withSockAddr { unsafe Darwin.bind(descriptor, $0, socklen_t($1)) }
        #elseif canImport(Musl)
        let status = unsafe address.withSockAddr { unsafe Musl.bind(descriptor, $0, socklen_t($1)) }
        #else
        let status = unsafe address.withSockAddr { unsafe Glibc.bind(descriptor, $0, socklen_t($1)) }
        #endif
        guard status == 0 else { throw errno == EADDRINUSE ? used(name) : failure("cannot be bound", name) }
    }

    static func listen(_ descriptor: Int32, backlog: Int32, _ name: String) throws(ListeningFailure) {
        #if canImport(Darwin)
        let status = Darwin.listen(descriptor, backlog)
        #elseif canImport(Musl)
        let status = Musl.listen(descriptor, backlog)
        #else
        let status = Glibc.listen(descriptor, backlog)
        #endif
        guard status == 0 else { throw errno == EADDRINUSE ? used(name) : failure("cannot listen", name) }
    }

    /// Whether something accepts connections at `address`.
    static func answers(_ address: SocketAddress, _ name: String) throws(ListeningFailure) -> Bool {
        let descriptor = try socket(.unix, name)
        defer { close(descriptor) }
        // A full backlog would let connect wait.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
        let status = unsafe address.withSockAddr { unsafe Darwin.connect(descriptor, $0, socklen_t($1)) }
        #elseif canImport(Musl)
        let status = unsafe address.withSockAddr { unsafe Musl.connect(descriptor, $0, socklen_t($1)) }
        #else
        let status = unsafe address.withSockAddr { unsafe Glibc.connect(descriptor, $0, socklen_t($1)) }
        #endif
        return status == 0 || errno != ECONNREFUSED && errno != ENOENT
    }

    /// Runs `body` while no other process does the same for a file in the same folder. Waits at most two seconds.
    static func withLock<Result>(
        onFolderOf path: String, _ name: String, _ body: () throws(ListeningFailure) -> Result
    ) throws(ListeningFailure) -> Result {
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let folder = unsafe open(end == path.startIndex ? "." : String(path[..<end]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("its folder cannot be opened", name) }
        defer { close(folder) }
        var attempts = 1
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, attempts < 100 else { throw failure("its folder cannot be locked", name) }
            attempts += 1
            usleep(20_000)
        }
        return try body()
    }

    /// The failure of the last system call.
    static func failure(_ what: String, _ name: String) -> ListeningFailure {
        let number = errno
        // SAFETY: strerror returns a string that does not change until this thread calls it again.
        let text = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        return ListeningFailure(.system, "\(name): \(what): \(text)")
    }

    private static func used(_ name: String) -> ListeningFailure {
        ListeningFailure(.addressInUse, "\(name): another socket listens there")
    }
}
