import Glibc

/// A descriptor of a TCP socket.
struct Socket: Sendable, Hashable {
    let descriptor: Int32

    /// On 127.0.0.1, at a port that the system chooses.
    static func listening() throws(SocketFailure) -> Socket {
        let socket = try bound()
        guard listen(socket.descriptor, 128) == 0 else {
            socket.close()
            throw SocketFailure("listen")
        }
        return socket
    }

    /// Bound without listening: connections are refused, and no other process gets the port.
    static func bound() throws(SocketFailure) -> Socket { try unsafe on(0, "bind", Glibc.bind) }

    /// The same at a port whose last connections may not be over (TIME_WAIT).
    static func bound(again port: UInt16) throws(SocketFailure) -> Socket {
        let socket = try unsafe on(port, "bind") { descriptor, address, length in
            reuse(descriptor, 1)
            return unsafe Glibc.bind(descriptor, address, length)
        }
        // Another socket could share the port otherwise.
        reuse(socket.descriptor, 0)
        return socket
    }

    private static func reuse(_ descriptor: Int32, _ flag: Int32) {
        var flag = flag
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &flag, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A connection to a port of this machine.
    static func connected(to port: UInt16) throws(SocketFailure) -> Socket { try unsafe on(port, "connect", Glibc.connect) }

    private typealias Call = (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32

    /// A socket after `call` with the address of `port`.
    private static func on(_ port: UInt16, _ name: String, _ call: Call) throws(SocketFailure) -> Socket {
        let socket = try stream()
        var address = sockaddr_in.loopback(port)
        let isDone = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe call(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isDone else {
            socket.close()
            throw SocketFailure(name)
        }
        return socket
    }

    private static func stream() throws(SocketFailure) -> Socket {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketFailure("socket") }
        return Socket(descriptor: descriptor)
    }

    func port() throws(SocketFailure) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) == 0 }
        }
        guard isKnown else { throw SocketFailure("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next connection, nil if there is none.
    func accept() -> Socket? {
        let descriptor = Glibc.accept(self.descriptor, nil, nil)
        guard descriptor >= 0 else { return nil }
        // A command that a test starts must not keep the connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return Socket(descriptor: descriptor)
    }

    /// Waits for input and returns it: empty at the end, nil for an error.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer.prefix(count))
    }

    /// Whether all bytes were sent.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let rest = bytes[sent...]
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Makes closing send a reset (RST).
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    func close() { _ = Glibc.close(descriptor) }
}

extension sockaddr_in {
    fileprivate static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
