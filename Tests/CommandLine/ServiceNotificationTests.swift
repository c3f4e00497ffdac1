import Foundation
import JWTTestSupport
import Testing

/// What the services tell systemd (sd_notify(3)), so that a unit of `Type=notify` starts what depends on it at the right time.
@Suite struct ServiceNotificationTests {
    /// A socket in systemd's place. It keeps what comes until it is read.
    private struct NotifySocket: ~Copyable {
        private let descriptor: Int32

        init(at path: String) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            // SAFETY: the path is shorter than sun_path, which is zero behind it.
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
            let status = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(status == 0)
            var limit = timeval(tv_sec: 60, tv_usec: 0)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// The next message; empty if none comes within a minute.
        func next() -> String {
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func theReferenceServerSaysWhenItListens() throws {
        let socket = try NotifySocket(at: "\(folder.path)/notify")
        let server = try RunningCommand(
            ["idaas", "serve", "--dev", "--listen", "127.0.0.1:0", "--db", "\(folder.path)/idaas.sqlite"],
            variables: "NOTIFY_SOCKET=\(folder.path)/notify")
        let address = try #require(try server.line(containing: "ready").split(separator: " ").dropFirst().first)
        #expect(socket.next() == "READY=1\nSTATUS=Listening at \(address)")
    }

    @Test func theGatewayServiceSaysWhenItListensAndWhenItDrains() throws {
        let socket = try NotifySocket(at: "\(folder.path)/notify")
        let file = try folder.write("gateway.yaml", GatewayCommandTests.good)
        let service = try RunningCommand(["serve", "--config", file], variables: "NOTIFY_SOCKET=\(folder.path)/notify")
        #expect(socket.next() == "READY=1\nSTATUS=Listening")
        service.signal("TERM")
        #expect(socket.next() == "STOPPING=1\nSTATUS=Draining")
    }
}
