#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// Tells systemd the state of the service (sd_notify(3)). Without `NOTIFY_SOCKET` in the environment nothing happens.
package struct ServiceNotification: Sendable {
    private let path: String?

    /// - Parameter environment: nil means that of this process.
    package init(environment: [String: String]? = nil) {
        // SAFETY: the value is copied at once.
        let own = environment == nil ? unsafe getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) } : nil
        path = environment?["NOTIFY_SOCKET"] ?? own
    }

    /// - Parameter state: lines such as `READY=1`.
    package func send(_ state: String) {
        guard let path, let first = path.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        // A name in the abstract namespace begins with a NUL.
        if first == UInt8(ascii: "@") { name[0] = 0 }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else { return }
        // SAFETY: the name is shorter than sun_path, which is zero behind it.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        // The end of a path is counted; a name in the abstract namespace has none.
        let end = first == UInt8(ascii: "/") ? 1 : 0
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - room + name.count + end)
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(state.utf8)
        // A full queue of systemd is no reason to wait: the state is sent without waiting, and a lost message is only a late one.
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT), $0, length)
            }
        }
    }
}
