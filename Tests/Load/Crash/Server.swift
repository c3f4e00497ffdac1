internal import Foundation
internal import LoginSupport

/// A server in its own process, which can be killed and restarted over the same database and port.
actor Server {
    nonisolated let directory: URL
    private let command: String
    private var process: Process?
    private(set) var url = ""
    private(set) var token = ""
    private var listen = "127.0.0.1:0"

    private nonisolated var database: String { directory.appending(path: "idaas.sqlite").path }
    private var log: URL { directory.appending(path: "log") }

    init(command: String, directory: URL) {
        self.command = command
        self.directory = directory
    }

    nonisolated var administration: AdministrationCommand {
        AdministrationCommand(command: command, options: ["--dev", "--db", database])
    }

    /// Starts the process, and returns when it answers.
    func start() async throws {
        let output = directory.appending(path: "out")
        for file in [output, log] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = [
            "idaas", "serve", "--dev", "--simulators", "--db", database, "--listen", listen, "--client", "demo", "--config",
            "Tests/Wire/unlimited.yaml",
        ]
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

    private func failure(_ what: String) -> Wrong {
        Wrong("the server \(what) at its start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }

    private func read(_ text: String) -> Bool {
        let lines = text.split(separator: "\n")
        guard let ready = lines.first(where: { $0.hasPrefix("ready ") }),
            let development = lines.first(where: { $0.hasPrefix("development ") })
        else { return false }
        url = String(ready.split(separator: " ")[1])
        token = String(development.split(separator: " ").last ?? "")
        listen = String(url.dropFirst("http://".count))
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
