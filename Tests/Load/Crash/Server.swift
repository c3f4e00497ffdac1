internal import Foundation
internal import LoginSupport

/// A server in its own process, which can be killed and restarted over the same database and port.
actor Server {
    nonisolated let port: Int
    private let command: String
    private let options: [String]
    private let files: URL
    private var process: Process?
    private(set) var token = ""

    /// The key of all servers, which share a database.
    private static let key = String(repeating: "5a", count: 32)

    nonisolated var url: String { "http://127.0.0.1:\(port)" }
    private var output: URL { files.appendingPathExtension("out") }
    private var log: URL { files.appendingPathExtension("log") }

    /// - Parameters:
    ///   - options: of `assay idaas serve`, beside those of every server.
    ///   - directory: of its output.
    init(command: String, port: Int, options: [String], in directory: URL) {
        self.command = command
        self.port = port
        self.options = options
        files = directory.appending(path: "server-\(port)")
    }

    /// Starts the process if none runs, and returns when it answers. Like a supervisor it starts one again that ended because its database did
    /// not answer.
    func start() async throws {
        var attempts = 0
        while process == nil {
            do {
                try await launch()
            } catch {
                kill()
                attempts += 1
                guard attempts < 6 else { throw error }
            }
        }
    }

    private func launch() async throws {
        for file in [output, log] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = ["idaas", "serve", "--dev", "--listen", "127.0.0.1:\(port)"] + options
        process.environment = Self.environment
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        self.process = process
        // One minute, for a busy machine.
        for _ in 0..<6_000 {
            if try read(String(contentsOf: output, encoding: .utf8)) { return }
            guard process.isRunning else { throw failure("ended with \(process.terminationStatus)") }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw failure("does not answer")
    }

    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(["ASSAY_IDAAS_KEY": key]) { $1 }
    }

    private func failure(_ what: String) -> Wrong {
        Wrong("the server \(what) at its start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }

    private func read(_ text: String) -> Bool {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("development ") }) else { return false }
        token = String(line.split(separator: " ").last ?? "")
        return true
    }

    /// Kills the process. For the process this is the same as a power failure.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }
}

/// A check failed.
struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
