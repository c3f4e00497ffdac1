import Foundation
import ReplayMemory
import SharedReplayMemory

/// A Valkey or Redis server that writes each command to its disk before it answers.
final class ValkeyProcess: StoreProcess {
    static let program = TestProgram.path("valkey-server", "redis-server")
    private static let client = TestProgram.path("valkey-cli", "redis-cli") ?? ""

    let folder: URL
    let port: Int
    private let options: [String]
    private var process = Process()
    /// For the command-line client.
    private let access: [String]

    /// - Parameters:
    ///   - options: more of the server's.
    ///   - access: more of the client's.
    init(_ options: [String] = [], access: [String] = [], isTLS: Bool = false) throws {
        folder = try TestProgram.folder()
        port = try TestProgram.freePort()
        self.options =
            (isTLS ? ["--port", "0", "--tls-port", "\(port)"] : ["--port", "\(port)"])
            + options.map { [folder] in
                $0.replacing("FOLDER", with: folder.path)
            }
        self.access = access.map { [folder] in $0.replacing("FOLDER", with: folder.path) }
        if isTLS { try makeCertificate() }
        try restart()
    }

    func restart() throws {
        process = Process()
        process.executableURL = URL(filePath: Self.program ?? "")
        process.arguments =
            ["--bind", "127.0.0.1", "--dir", folder.path, "--save", "", "--appendonly", "yes", "--appendfsync", "always"] + options
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<3_000 {
            if (try? command("PING"))?.hasPrefix("PONG") == true { return }
            usleep(20_000)
        }
    }

    @discardableResult
    func command(_ words: String...) throws -> String {
        try TestProgram.run(Self.client, ["-h", "127.0.0.1", "-p", "\(port)"] + access + words)
    }

    private func makeCertificate() throws {
        let (key, certificate) = (folder.appending(path: "key.pem").path, folder.appending(path: "certificate.pem").path)
        try TestProgram.run(
            "/usr/bin/openssl",
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
                + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate])
    }

    func server(_ scheme: String = "redis", user: String? = nil, host: String = "127.0.0.1", database: Int = 0) throws -> ValkeyServer {
        let url = "\(scheme)://\(user.map { "\($0)@" } ?? "")\(host):\(port)/\(database)"
        guard let server = ValkeyServer(url: url) else { throw CocoaError(.featureUnsupported) }
        return server
    }

    func memory(_ time: Duration) throws -> any ReplayMemory { try ValkeyReplayMemory(server(), connections: 4, time: time) }

    func kill() throws {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func freeze() throws { Foundation.kill(process.processIdentifier, SIGSTOP) }

    func thaw() throws { Foundation.kill(process.processIdentifier, SIGCONT) }

    func stop() {
        if process.isRunning {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }
}
