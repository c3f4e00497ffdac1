internal import NIOCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// A free port, known before the server listens on it: the issuer's name contains the port, and is needed first.
///
/// The socket is bound and does not listen. On Linux another socket can bind and listen on the port while both reuse addresses and this one
/// does not listen. No other process gets the port meanwhile.
final class PortReservation: Sendable {
    let port: Int
    private let descriptor: Int32

    /// - Throws: `ConfigurationError` if the host is not an address of this machine.
    init(host: String) throws {
        let name = host == "localhost" ? "127.0.0.1" : host
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { throw ConfigurationError("listen: \(host) is no address") }
        let descriptor = socket(address.protocol == .inet ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let bound = unsafe address.withSockAddr { unsafe bind(descriptor, $0, socklen_t($1)) }
        guard bound == 0, let port = Self.port(of: descriptor) else {
            close(descriptor)
            throw ConfigurationError("listen: \(host) cannot be bound")
        }
        self.port = port
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let named = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &length) }
        }
        guard named == 0 else { return nil }
        // SAFETY: sin_port and sin6_port have the same offset in both families.
        let port = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(fromByteOffset: 2, as: UInt16.self) }
        return Int(UInt16(bigEndian: port))
    }
}
