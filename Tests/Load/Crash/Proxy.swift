internal import Foundation

/// HAProxy in front of several servers. It asks each whether it is ready, and sends a request to one that is. A server that is dead refuses
/// the connection. One that a busy machine delays is not dead: without a time for the answer, 200 ms would count.
struct Proxy {
    let process = Process()

    /// - Parameters:
    ///   - simulators: the port of the server that simulates the other providers.
    ///   - servers: the ports of the servers that users reach.
    init(port: Int, simulators: Int, servers: [Int], in directory: URL) throws {
        let file = directory.appending(path: "haproxy.cfg")
        try Self.configuration(port, simulators, servers).write(to: file, atomically: true, encoding: .utf8)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["haproxy", "-db", "-f", file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    private static func configuration(_ port: Int, _ simulators: Int, _ servers: [Int]) -> String {
        """
        global
            maxconn 8192
        defaults
            mode http
            timeout connect 2s
            timeout client 120s
            timeout server 120s
            timeout check 20s
            retries 3
            option redispatch 1
            option httpchk GET /readyz
            default-server check inter 200ms fall 1 rise 1
        frontend users
            bind 127.0.0.1:\(port)
            use_backend simulators if { path_beg /__simulators }
            default_backend servers
        backend simulators
            server simulators 127.0.0.1:\(simulators) no-check
        backend servers
            balance roundrobin
        \(servers.map { "    server at\($0) 127.0.0.1:\($0)" }.joined(separator: "\n"))

        """
    }
}
