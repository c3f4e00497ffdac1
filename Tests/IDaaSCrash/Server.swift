#if HTTP
internal import Foundation

/// A server in a process of its own, which can be killed and started again over the same database and port.
actor Server {
    private let directory: URL
    private let command: String
    private var process: Process?
    private(set) var url = ""
    private(set) var token = ""
    private var listen = "127.0.0.1:0"

    private var log: URL { directory.appending(path: "log") }

    init(command: String, directory: URL) {
        self.command = command
        self.directory = directory
    }

    /// Starts the process, and returns when it answers.
    func start() async throws {
        let output = directory.appending(path: "out")
        for file in [output, log] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = [
            "idaas", "serve", "--dev", "--db", directory.appending(path: "idaas.sqlite").path, "--listen", listen, "--client", "demo",
            "--config",
            "Tests/Wire/unlimited.yaml",
        ]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        self.process = process
        // A minute, on a machine that has much else to do.
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

    /// Ends the process as a power cut does, for all that it can tell.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }
}

/// Something was not as it should be.
struct Wrong: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
#endif
