internal import NIOConcurrencyHelpers
internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A socket that listens. The kernel queues connections from its creation on; ``EdgeListener`` accepts them. One that is never served is
/// closed with this object, and its file is removed.
package final class ListeningSocket: Sendable {
    /// For example `127.0.0.1:9191` or `unix:/run/assay/nginx.sock`.
    package let name: String
    /// Whether another process holds it too: connections that this one does not accept wait for the next.
    package let isHeld: Bool
    private let descriptor: Int32
    private let file: SocketFile?
    private let isTaken = NIOLockedValueBox(false)

    /// Connections that the kernel queues, if its own limit (`net.core.somaxconn`) allows. A Unix socket refuses those beyond.
    private static let backlog: Int32 = 4_096

    private init(_ name: String, _ descriptor: Int32, _ file: SocketFile? = nil, isHeld: Bool = false) {
        self.name = name
        self.isHeld = isHeld
        self.descriptor = descriptor
        self.file = file
    }

    deinit {
        guard !isTaken.withLockedValue({ $0 }) else { return }
        file?.remove()
        close(descriptor)
    }

    /// Listens on a TCP port; port 0 selects a free one.
    ///
    /// - Throws: ``ListeningFailure``.
    package static func tcp(_ address: ListenAddress) throws(ListeningFailure) -> ListeningSocket {
        guard let target = address.socketAddress else {
            throw ListeningFailure(.invalidAddress, "\(address.authority): an IP address is expected, or localhost")
        }
        let descriptor = try SystemCalls.socket(target.protocol, address.authority)
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        do throws(ListeningFailure) {
            try SystemCalls.bind(descriptor, target, address.authority)
            try SystemCalls.listen(descriptor, backlog: backlog, address.authority)
        } catch {
            close(descriptor)
            throw error
        }
        var bound = address
        bound.port = port(of: descriptor) ?? address.port
        return ListeningSocket(bound.authority, descriptor)
    }

    /// Listens on a path. A socket file that nothing listens on is replaced; any other file is not.
    ///
    /// The socket is bound under another name, gets its mode and owner, listens, and is then renamed: no client ever meets a socket with
    /// other rights, or one that does not listen.
    ///
    /// - Throws: ``ListeningFailure``.
    package static func unix(_ path: SocketPath) throws(ListeningFailure) -> ListeningSocket {
        let name = "unix:\(path.path)"
        let descriptor = try SystemCalls.socket(.unix, name)
        do throws(ListeningFailure) {
            return ListeningSocket(name, descriptor, try path.open(descriptor, backlog: backlog))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Takes over a socket that another process opened and passed.
    ///
    /// - Throws: ``ListeningFailure`` if it is not a listening socket.
    package static func passed(_ descriptor: Int32, name: String) throws(ListeningFailure) -> ListeningSocket {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
            throw ListeningFailure(.notPassed, "\(name): descriptor \(descriptor) is not a listening socket")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return ListeningSocket("activation:\(name)", descriptor, isHeld: true)
    }

    /// The TCP port; nil for a socket file.
    package var port: Int? { Self.port(of: descriptor) }

    /// The descriptor, for a channel, which will close it.
    func take() -> Int32 {
        isTaken.withLockedValue { $0 = true }
        return descriptor
    }

    /// Sets the length of the kernel's queue again: NIO sets it to 128 when it makes a channel of a descriptor.
    ///
    /// - Throws: ``ListeningFailure``.
    func restoreBacklog() throws(ListeningFailure) { try SystemCalls.listen(descriptor, backlog: Self.backlog, name) }

    /// Removes the socket file, if it is still this socket's.
    package func removeFile() { file?.remove() }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
        }
        guard named == 0, storage.ss_family == AF_INET || storage.ss_family == AF_INET6 else { return nil }
        // SAFETY: sin_port and sin6_port have the same offset in both families.
        let port = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(fromByteOffset: 2, as: UInt16.self) }
        return Int(UInt16(bigEndian: port))
    }
}
